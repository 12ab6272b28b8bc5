"""Words that build sentences: verbs, what opens a subordinate clause, what points backwards.

Small closed lists of the verbs that notes are made of, English and Spanish. A verb that is
missing costs a duplicate that is not seen, never a wrong merge.
"""

from __future__ import annotations

from muninn_cli.core.likeness.lexicon import listed

_ENGLISH = """
accept add agree allow answer apply approve archive ask assign attach avoid back back-up bake
belong block book bring broadcast build buy cache calculate call cause check choose clean clear
close collect commit compile compute configure confirm connect contain control convert cook copy
cost count cover crash create cut debug decide define delete deliver demand deploy deprecate
describe disable dislike document download draw drink drop earn eat edit email enable encrypt end
enforce enjoy enter escape evaluate exist expect expire explain export extend face fail fear feed
fetch file fill filter finish fix fly focus follow forward generate give grant guard handle hang
happen hash hate help hide hit hold hope host hurt identify ignore import improve include increase
index inform insert inspect install invite invoke issue join jump keep kill know lack land last
launch lay lead learn leave let level like limit link list listen live load lock log look love
lower mail maintain make manage map mark match matter measure meet merge migrate mirror miss mix
monitor mount move multiply name need normalize note notify observe occur offer open operate
optimize order organize owe own pack paint park parse pass patch pay persist pick pin ping place
plan play point poll post prefer prepare prevent preview print process produce prohibit promote
propose protect prove provide publish pull purge push put query quote raise rank rate reach read
rebase rebuild receive recommend record reduce refer refresh refuse register reject release reload
rely remember remove rename render rent reopen repair repeat replace reply report represent
request require rerun reserve reset resolve respond rest restart restore retire retry return
review revoke ride ring roll rotate round route run sample save scale scan schedule see seek seem
sell send serialize serve set settle share ship show sign sit sleep solve sort speak spend split
stand start state stay steal stick stop store stream stress strip study submit suggest suit
supersede support suppose surf survive swap swim switch sync tag take talk target taste teach tell
tend terminate test thank think throw tie time touch track trade train transfer transform
translate travel treat trigger trim trust try turn type unlock update upgrade upload use validate
vary verify view visit vote wait walk want warn wash watch wear weigh wish wonder work worry wrap
write yield
"""
_ENGLISH_IRREGULAR = """
is are was were be been am has have had do does did can could will would shall should may might
must goes go went gone ran wrote written took taken gave given made met sent set kept held built
bought sold sat stood said told knew known came comes come left led lost paid put read spoke
taught thought understood won chose drove ate drank flew grew fell rose began begins begin broke
brought caught costs fits runs lives
"""
_SPANISH = """
es son era eran fue fueron está están estaba estaban será serán hay había soy somos estamos estoy
tiene tienen tenemos tengo tenía haber ha han hemos puede pueden debe deben debemos usa usan
usamos uso usar use usad corre corren correr corra ejecuta ejecutan ejecutar ejecute ejecutamos
escucha escuchan vive viven vivo vivimos trabaja trabajan trabajo trabajamos prefiere prefieren
prefiero preferimos necesita necesitan necesito necesitamos requiere requieren quiere quieren
quiero guarda guardan guardar guarde guardamos lee leen leer lea escribe escriben escribir escriba
envía envían enviar envíe enviamos recibe reciben recibir llama llaman llamar llame llamamos avisa
avisan avisar avise informa informan informar informe reporta reportan reportar revisa revisan
revisar revise revisamos aprueba aprueban aprobar apruebe despliega despliegan desplegar
despliegue desplegamos instala instalan instalar instale configura configuran configurar configure
crea crean crear cree creamos borra borran borrar borre elimina eliminan eliminar elimine añade
añaden añadir añada agrega agregan agregar quita quitan quitar activa activan activar active
desactiva desactivan desactivar abre abren abrir abra cierra cierran cerrar cierre empieza
empiezan empezar termina terminan terminar termine falla fallan fallar falle pasa pasan pasar pase
va van ir voy vamos viene vienen venir sale salen salir entra entran entrar llega llegan llegar
sube suben subir suba baja bajan bajar baje mueve mueven mover mueva copia copian copiar copie
comprueba comprueban comprobar compruebe verifica verifican verificar verifique prueba prueban
probar pruebe valida validan validar valide migra migran migrar migramos actualiza actualizan
actualizar actualice reinicia reinician reiniciar reinicie arranca arrancan arrancar detiene
detienen detener detenga para paran espera esperan esperar espere devuelve devuelven devolver
acepta aceptan aceptar rechaza rechazan rechazar permite permiten permitir soporta soportan
incluye incluyen incluir contiene contienen depende dependen pertenece cuesta cuestan dura duran
caduca caducan expira expiran publica publican publicar publique comparte comparten cambia cambian
cambiar cambie compra compran comprar compre compramos vende venden vender paga pagan pagar pague
come comen bebe beben habla hablan hablar estudia estudian enseña gestiona gestionan dirige
dirigen mantiene mantienen evita evitan evitar evite haz hace hacen hacer haga hacemos pon pone
ponen poner ponga toma toman tomar tome usó llamó compró vendió pagó escribió leyó envió recibió
aprobó revisó desplegó migró cambió sigue siguen seguir siga seguimos genera generan generar
genere carga cargan cargar cargue muestra muestran mostrar busca buscan buscar busque reúne reúnen
encuentra encuentran importa importan exporta exportan conecta conectan conectar conecte asigna
asignan asignar aparece aparecen funciona funcionan lleva llevan llevar organiza organizan tarda
tardan sirve sirven servir protege protegen sustituye sustituyen sustituyó reemplaza reemplazan
reemplazó
"""

_DOUBLING = listed("debug drop get let log pin put run set ship sit stop submit tag wrap")


def _forms(verb: str) -> set[str]:
    """Third person, past and gerund by the regular rules."""
    stem = verb + verb[-1] if verb in _DOUBLING else verb
    if verb.endswith("e"):
        return {verb, verb + "s", verb + "d", verb[:-1] + "ing"}
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return {verb, verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"}
    third = verb + ("es" if verb.endswith(("s", "x", "ch", "sh")) else "s")
    return {verb, third, stem + "ed", stem + "ing"}


ENGLISH_VERBS = listed(_ENGLISH_IRREGULAR).union(*map(_forms, _ENGLISH.split()))
SPANISH_VERBS = listed(_SPANISH)
VERBS = ENGLISH_VERBS | SPANISH_VERBS

DETERMINERS = listed("""
    the a an this that these those my our your his her their its each every no of to el la los las
    un una unos unas este esta estos estas ese esa mi mis su sus nuestro nuestra cada del al de
    para por con
""")
"""After one of these a word is a noun, whatever else it may be."""

SUBORDINATORS = listed("""
    if when whenever unless because before after while until since although though once as
    si cuando aunque porque mientras antes despues hasta desde tras
""")
OPENERS = SUBORDINATORS | listed("""
    in on at during for with without from by under to every daily
    los cada todos todas en al durante con sin para por a
""")
"""First words of what may stand in front of a sentence, or at its end, alike."""
VERB_CUES = listed("i we you he she it they who never always nunca siempre se yo")
"""After one of these a word is a verb, even one that is in no list."""

POINTERS = listed("""
    it its this that these those he him his she her hers they them their theirs there here then
    also too instead same former latter however therefore thus hence otherwise else so next
    finally afterwards later meanwhile first second third last one ones respectively such esto eso
    ello este esta estos estas ese esa esos esas ellos ellas ella lo le les su sus allí ahí aquí
    luego entonces ademas tambien así finalmente despues primero segundo tercero ultimo mismo
    misma respectivamente otro otra #1 #2 #3
""")
"""Words that mean something only after what was said before them: it must stay before them."""

RANKED = listed("""
    order step steps priority priorities sequence ranking rank stages phases phase route path
    chain pipeline dimensions coordinates status address process axis bus orden pasos paso
    prioridad prioridades secuencia fases etapas ruta cadena dimensiones coordenadas from between
    first then before after over versus beats prefer prefers rather desde entre antes despues
""")
"""Before a list of which the order matters."""
