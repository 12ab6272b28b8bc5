"""Words that are two spellings of one: articles, contractions, abbreviations, units, months.

Only pairs that change no claim anywhere belong here. Synonyms do not: "quick" for "fast" is for
a judge. Words are in lower case, with accents folded where the language allows it.
"""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(words.split())


def _spellings(table: str) -> dict[str, str]:
    """`one: two three` on each line: two and three are read as one."""
    found = {}
    for line in table.strip().splitlines():
        one, _, others = line.partition(":")
        found.update(dict.fromkeys(others.split(), one.strip()))
    return found


ARTICLES = {
    "en": listed("the a an"),
    "es": listed("el la los las un una unos unas"),
}
ARTICLE_COUNTS_BEFORE = listed("few little bit lot couple poco poca pocos pocas one")
"""A few is not few."""

FILLERS = listed("""
    please kindly basically actually simply basicamente simplemente porfavor
""")
OPENING_FORMULAS = (
    r"(?:please\s+)?(?:(?:note|remember|reminder|fyi|nota|recuerda|recordatorio|recuerde|por favor)"
    r"\s*(?:(?:that|que)\b|[:,]))\s*"
)
"""A regular expression for what a note may begin with without saying more."""

MARKERS = {
    "en": listed("""
    the of and to in is for on with are it that by we at be an this from as not our my
"""),
    "es": listed("""
    el la los las de del que y en un una es con por para se al lo su son está mi nuestro ya sin
    más cada como usa usamos
"""),
}
"""Function words that tell the language of a short text."""

CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
    "dont": "do not",
    "doesnt": "do not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "is not",
    "wasnt": "was not",
    "werent": "were not",
    "hasnt": "have not",
    "havent": "have not",
    "hadnt": "had not",
    "couldnt": "could not",
    "shouldnt": "should not",
    "wouldnt": "would not",
    "mustnt": "must not",
    "cant": "can not",
}
SHORT_ENDINGS = {"n't": "not", "'re": "is", "'m": "is", "'ve": "have", "'ll": "will"}
IS_SHORTENED_AFTER = listed("""
    it that there here what he she who where how everything nothing everyone
""")
"""After these `'s` is "is"; after any other word it marks the owner."""

SPELLINGS = _spellings("""
    is: are am
    do: does
    have: has
    use: uses
    need: needs
    prefer: prefers
    require: requires
    want: wants
    keep: keeps
    go: goes
    let: lets
    become: becomes
    exist: exists
    contain: contains
    belong: belongs
    expire: expires
    listen: listens
    depend: depends
    live: lives
    configuration: config cfg
    configurations: configs
    configuracion: conf
    database: db
    databases: dbs
    repository: repo repositorio
    repositories: repos repositorios
    documentation: docs documentacion
    environment: env
    environments: envs
    directory: dir
    directories: dirs
    application: app aplicacion
    applications: apps aplicaciones
    information: info informacion
    production: prod
    development: dev
    parameter: param
    parameters: params
    argument: arg
    arguments: args
    administrator: admin
    maximum: max
    maximo: maxima
    kubernetes: k8s
    postgresql: postgres
    javascript: js
    typescript: ts
    versus: vs
    approximately: approx
    email: e-mail
    website: web-site
    okay: ok
    eg: e.g
    ie: i.e
    US: u.s
    uk: u.k
    am: a.m
    pm: p.m
    until: till
    while: whilst
    among: amongst
    every: each
    color: colour
    colors: colours
    favorite: favourite
    favorites: favourites
    behavior: behaviour
    behaviors: behaviours
    honor: honour
    neighbor: neighbour
    neighbors: neighbours
    labor: labour
    flavor: flavour
    harbor: harbour
    gray: grey
    center: centre
    meter: metre
    license: licence
    defense: defence
    program: programme
    catalog: catalogue
    dialog: dialogue
    canceled: cancelled
    labeled: labelled
    modeling: modelling
    traveling: travelling
    percent: pct
""")

UNITS = _spellings("""
    ns: ns nanosecond nanoseconds nanosegundo nanosegundos
    ms: ms msec millisecond milliseconds milisegundo milisegundos
    s: s sec secs second seconds seg segundo segundos
    min: min mins minute minutes minuto minutos
    h: h hr hrs hour hours hora horas
    day: d day days dia dias
    week: week weeks semana semanas
    month: month months mes meses
    year: y yr yrs year years año años
    byte: byte bytes
    bit: bit bits
    kb: kb kilobyte kilobytes
    mb: mb megabyte megabytes
    gb: gb gigabyte gigabytes
    tb: tb terabyte terabytes
    kib: kib kibibyte kibibytes
    mib: mib mebibyte mebibytes
    gib: gib gibibyte gibibytes
    kbit: kbit kilobit kilobits
    mbit: mbit megabit megabits
    gbit: gbit gigabit gigabits
    mg: mg milligram milligrams miligramo miligramos
    g: g gram grams gramo gramos
    kg: kg kilo kilos kilogram kilograms kilogramo kilogramos
    mm: mm millimetre millimetres millimeter millimeters milimetro milimetros
    cm: cm centimetre centimetres centimeter centimeters centimetro centimetros
    m: m metre metres meter meters metro metros
    km: km kilometre kilometres kilometer kilometers kilometro kilometros
    mile: mi mile miles milla millas
    ml: ml millilitre millilitres milliliter milliliters mililitro mililitros
    l: l litre litres liter liters litro litros
    k: k
    hz: hz hertz
    khz: khz
    mhz: mhz
    ghz: ghz
    px: px pixel pixels pixeles
    rpm: rpm
    %: % percent pct porciento
    €: € eur euro euros
    $: $
    £: £ gbp
    ¥: ¥ jpy yen yenes
    usd: usd dollar dollars dolar dolares
    °c: °c celsius
    °f: °f fahrenheit
    °: ° degree degrees grado grados
""")
"""Only after a number."""

MONTHS = _spellings("""
    01: january jan enero ene
    02: february feb febrero
    03: march mar marzo
    04: april apr abril abr
    05: may mayo
    06: june jun junio
    07: july jul julio
    08: august aug agosto ago
    09: september sept sep septiembre setiembre
    10: october oct octubre
    11: november nov noviembre
    12: december dec diciembre dic
""")
FULL_MONTHS = frozenset(name for name in MONTHS if len(name) > 4 or name in {"june", "july"})

WEEKDAYS = listed("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays lunes martes miercoles jueves viernes sabado sabados domingo
    domingos weekend weekends weekday weekdays
""")
INVARIABLE_WEEKDAYS = listed("lunes martes miercoles jueves viernes")
"""El viernes is one Friday, los viernes are all of them: only the article tells."""

WEEKDAY_SHORT = _spellings("""
    monday: mon
    tuesday: tue tues
    wednesday: wed
    thursday: thu thur thurs
    friday: fri
""")
