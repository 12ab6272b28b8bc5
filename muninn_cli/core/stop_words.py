"""The words that say nothing about what a text is about, by language, folded.

Only function words and the words that questions are made of; never a word that often carries
the meaning of a note ("down", "under", "bajo").
"""

from __future__ import annotations

_ENGLISH = """
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose what which when where why how much many long
am is are was were be been being do does did doing have has had having get got
can could shall should will would may might must
and or but nor if then than so because while as until
of at by for with about between into through during to from in on onto upon up out over
there here all any both each few more most other some such only too very just again
no not don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn ain s t m re ve ll
"""

_SPANISH = """
el la los las lo un una unos unas al del
este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas
yo me mi mis mio mia conmigo tu tus te ti tuyo tuya contigo usted ustedes
ella ello ellos ellas le les se si sus su suyo suya suyos suyas consigo
nos nosotros nosotras nuestro nuestra nuestros nuestras os vosotros vosotras vuestro vuestra
que quien quienes cual cuales cuando donde como cuanto cuanta cuantos cuantas porque
es soy eres somos son era eran fue fueron fui ser sido siendo sea sean
estan estoy estamos estaba estaban estar estado
hay habia haber habra ha han he has hemos hubo tiene tienen tengo tenemos tenia tener
y e o u ni pero sino pues aunque mientras
a ante con contra de desde durante en entre hacia hasta para por segun sin sobre tras
no ya tan tanto muy mas menos tambien tampoco asi aqui ahi alli
cada todo toda todos todas otro otra otros otras mismo misma mismos mismas
algo alguien algun alguno alguna algunos algunas poco poca pocos pocas mucho mucha muchos muchas
"""

STOP_WORDS = {"en": frozenset(_ENGLISH.split()), "es": frozenset(_SPANISH.split())}

CONTENT_WORDS = {
    "en": frozenset({"ante", "era", "hay", "os", "sea", "sin", "son", "tan", "todo"}),
}
"""Words that mean something in a language although they are stop words of another one."""
