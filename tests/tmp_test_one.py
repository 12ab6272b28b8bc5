def test_c(personal):
    mid = personal.add("Whales sing.", "--title", "Whales")["id"]
    personal.json("archive", mid)
    personal.put("whales.md", "Bees dance.\n")
    print([(h["id"],h["path"],h["state"]) for h in personal.json("list","--archived")["hits"]])
    print(personal.muninn("restore", mid, "--to", "old/whales.md"))
    print([(h["id"],h["path"],h["state"]) for h in personal.json("list","--archived")["hits"]], mid)
    print(personal.muninn("show", mid).out)
def test_d(personal):
    personal.put("whales.md", "Whales sing.\n", id="W1")
    personal.json("archive", "W1")
    personal.put("again.md", "Whales sing again.\n", id="W1")
    print([(h["id"],h["path"],h["state"]) for h in personal.json("list","--archived")["hits"]])
    print(personal.muninn("restore", "whales.md"))
    print([(h["id"],h["path"],h["state"]) for h in personal.json("list","--archived")["hits"]])
def test_e(personal):
    # front matter taken out by hand, ids
    p=personal.put("x.md", "Whales sing.\n", id="W1", tier="T3")
    personal.json("show","x.md")
    p.write_text("Whales sing, changed.\n")
    print(personal.memory("x.md")["id"], personal.memory("x.md")["usage"])
