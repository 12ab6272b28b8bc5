"""Clusters as a dream would hand them to a model."""

from muninn_cli.core.changes import Cluster, ClusterReason, Member, Ref

NEAR, AGAINST, LINK = (
    ClusterReason.NEAR_DUPLICATE,
    ClusterReason.CONTRADICTION,
    ClusterReason.CONNECTION,
)


def member(
    id_: str,
    text: str,
    title: str = "Note",
    vault: str = "v1",
    stability: float = 14.0,
) -> Member:
    return Member(Ref(vault, id_), title, text, f"hash-{vault}-{id_}-{text}", stability)


def cluster(*members: Member, reason: ClusterReason = NEAR) -> Cluster:
    return Cluster(reason, members)
