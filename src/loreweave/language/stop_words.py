"""Everyday English words that say nothing about what a query is after."""

_LIST = """
    a about above after again against all also am an and any are aren't
    as at be because been before being below between both but by can can't cannot could couldn't did
    didn't do does doesn't doing don't down during each few for from further had hadn't has hasn't
    have haven't having he her here hers herself him himself his how how's i i'd i'll i'm i've if in
    into is isn't it it's its itself just let's me more most my myself no nor not of off on once
    only or other ought our ours ourselves out over own same shall she should shouldn't so some such
    than that that's the their theirs them themselves then there there's these they they'd they'll
    they're they've this those through to too under until up very was wasn't we we'd we'll we're
    we've were weren't what what's when where which while who who's whom why will with won't would
    wouldn't you you'd you'll you're you've your yours yourself yourselves
"""

STOP_WORDS = frozenset(_LIST.split())

_ASKING = """
    get gets got happen happened happens help keep keeps know make mean means need needs please possible sure tell
    try trying use using want wants way without
"""

QUESTION_WORDS = STOP_WORDS.union(_ASKING.split())  # beside other words they only say that something is asked
