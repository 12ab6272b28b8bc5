"""Words that turn a claim round: negation, opposite qualifiers, modality; English and Spanish.

Words are as `values` reads them: lower case, contractions expanded, accents folded but for a
last vowel.
"""

from __future__ import annotations

from muninn_cli.core.likeness.lexicon import listed

NEGATIONS = listed("""
    not no never none nobody nothing nowhere neither nor without hardly barely non nunca jamas sin
    ni nadie nada ningun ninguno ninguna tampoco apenas ~~ ❌
""")
"""`~~` strikes a text out."""

_STATES = """
enabled/disabled enable/disable enables/disables active/inactive activate/deactivate
activated/deactivated on/off open/closed open/close opened/closed allow/deny allowed/denied
allowed/forbidden allow/forbid permitted/forbidden accept/reject accepted/rejected
approved/rejected approve/reject always/never always/sometimes draft/final true/false yes/no
pass/fail passed/failed passes/fails success/failure succeeds/fails succeeded/failed valid/invalid
public/private required/optional mandatory/optional included/excluded include/exclude
includes/excludes online/offline connected/disconnected locked/unlocked lock/unlock visible/hidden
show/hide shown/hidden supported/unsupported safe/unsafe secure/insecure stable/unstable
sync/async synchronous/asynchronous encrypted/plaintext mutable/immutable known/unknown
available/unavailable possible/impossible correct/incorrect right/wrong good/bad better/worse
best/worst happy/sad fast/slow faster/slower hot/cold cheap/expensive full/empty easy/hard new/old
newer/older alive/dead married/divorced married/single started/stopped start/stop add/remove
added/removed adds/removes create/delete created/deleted increase/decrease increased/decreased
increases/decreases rise/fall rose/fell grow/shrink grew/shrank gain/loss win/lose won/lost
buy/sell bought/sold love/hate loves/hates like/dislike likes/dislikes agree/disagree push/pull
mount/unmount install/uninstall installed/uninstalled merge/split join/leave joined/left hire/fire
hired/fired must/may must/can should/may mandatory/forbidden automatic/manual
automatically/manually permanent/temporary strict/lenient strict/loose verbose/quiet odd/even
ascending/descending asc/desc more/less more/fewer most/least most/fewest higher/lower high/low
larger/smaller large/small bigger/smaller big/small greater/smaller greater/less longer/shorter
long/short taller/shorter stronger/weaker strong/weak above/below over/under up/down
activado/desactivado activada/desactivada activar/desactivar activo/inactivo activa/inactiva
habilitado/deshabilitado habilitada/deshabilitada habilitar/deshabilitar encendido/apagado
encendida/apagada abierto/cerrado abierta/cerrada abrir/cerrar permitido/prohibido
permitida/prohibida permite/prohibe permitir/denegar permitir/prohibir aceptar/rechazar
aceptado/rechazado aprobado/rechazado aprobada/rechazada siempre/nunca borrador/definitivo
borrador/final verdadero/falso cierto/falso si/no valido/invalido publico/privado publica/privada
obligatorio/opcional obligatoria/opcional incluido/excluido incluye/excluye conectado/desconectado
bloqueado/desbloqueado visible/oculto seguro/inseguro estable/inestable sincrono/asincrono
disponible/indisponible correcto/incorrecto bueno/malo bien/mal mejor/peor feliz/triste
rapido/lento rapida/lenta caliente/frio caro/barato cara/barata lleno/vacio facil/dificil
nuevo/viejo nueva/vieja vivo/muerto casado/divorciado casado/soltero casada/divorciada
casada/soltera añadir/quitar crear/borrar crear/eliminar sube/baja subir/bajar aumentar/disminuir
aumenta/disminuye aumento/disminucion ganar/perder gano/perdio comprar/vender ama/odia
automatico/manual automatica/manual permanente/temporal ascendente/descendente par/impar mas/menos
mayor/menor mayores/menores alto/bajo alta/baja largo/corto larga/corta grande/pequeño
fuerte/debil maximo/minimo encima/debajo arriba/abajo debe/puede deben/pueden
"""

_SCOPES = """
staging/production development/production test/production development/staging primary/secondary
primary/replica leader/follower before/after min/maximum
minimum/maximum
left/right in/out input/output inbound/outbound incoming/outgoing ingress/egress internal/external
inside/outside first/last previous/next past/future yesterday/tomorrow today/tomorrow
today/yesterday morning/evening morning/afternoon morning/night am/pm day/night client/server
frontend/backend read/write reads/writes upload/download sender/receiver source/target
source/destination parent/child upper/lower top/bottom front/back north/south east/west
horizontal/vertical row/column local/remote global/local host/guest buyer/seller teacher/student
mother/father sister/brother son/daughter wife/husband his/her he/she with/without for/against
import/export encode/decode encrypt/decrypt summer/winter summer/autumn summer/spring
weekday/weekend male/female men/women pruebas/produccion desarrollo/produccion
preproduccion/produccion primario/secundario primaria/secundaria principal/secundario
antes/despues antes/tras minimo/maximo izquierda/derecha izquierdo/derecho dentro/fuera
entrada/salida entrante/saliente interno/externo interna/externa primero/ultimo primera/ultima
anterior/siguiente pasado/futuro ayer/mañana hoy/mañana hoy/ayer mañana/tarde mañana/noche
dia/noche cliente/servidor lectura/escritura subida/bajada origen/destino padre/hijo
superior/inferior delante/detras norte/sur este/oeste horizontal/vertical fila/columna
local/remoto comprador/vendedor madre/padre hermana/hermano hijo/hija esposa/esposo con/sin
importar/exportar verano/invierno hombres/mujeres
"""


def _pairs(table: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("/")) for pair in table.split())


STATES = _pairs(_STATES)
"""Opposites that one thing can pass between."""
SCOPES = _pairs(_SCOPES)
"""Opposites that part two things: what holds of staging says nothing about production."""
_ALSO_FUNCTION_WORDS = listed("""
    in out with without for against his her he she before after am pm con sin antes despues tras
    day night dia noche today yesterday tomorrow hoy ayer mañana tarde este first last
""")
SCOPE_NOUNS = frozenset(word for pair in SCOPES for word in pair) - _ALSO_FUNCTION_WORDS
"""Words that part two things even where only one of two texts has them."""

QUALIFIERS = listed("""
    los although because aunque porque must may might can could should shall will would ought only
    just all every some any most many much few fewer several both either half double twice once if
    unless until except when sometimes often usually mostly rarely seldom daily weekly monthly
    yearly hourly more less least over under about around approximately nearly almost up to before
    after since during still yet already again was were had been did used or than instead maybe
    perhaps probably possibly certainly ? ! < > <= >= != = == ~ debe deben puede pueden podria
    podrian deberia deberian tiene que solo solamente todo toda todos todas alguno alguna algunos
    algunas algun muchos muchas pocos pocas varios varias ambos mitad doble si salvo excepto
    cuando hasta desde veces frecuentemente raramente diario diaria semanal mensual anual mas
    menos aun todavia ya casi era eran fue fueron habia estaba solia antes despues tras durante o
    quiza quizas tal vez probablemente sera seran
""")
"""Words that bound a claim in strength, quantity, time or condition."""


def opposite(left: str, right: str) -> bool:
    """Whether two words are opposites of any kind."""
    pair = frozenset((left, right))
    return pair in STATES or pair in SCOPES
