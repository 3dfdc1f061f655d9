"""How large a plan, a flow of blocks and a run may become. Lengths of single texts stand in the contract's values."""

MOST_NESTED = 10  # branches inside one another, each one counted
MOST_TREE_STEPS = 500  # of one plan, those in branches too
MOST_FRAMES = 10  # skills inside one another, the plan itself counted
MOST_RUN_STEPS = 10_000  # of one run: skills that call skills multiply, and a run must end
MOST_FILLED = 100_000  # characters of one text once its templates are filled in
MOST_WRITTEN = 10_000_000  # characters that the steps of one run may write in all
MOST_JSON_DEPTH = 400  # fifty blocks in a row are about a hundred; JSON readers give up near a thousand
MOST_JSON_SIZE = 1_000_000  # characters and values of all flows of one request, or of one answer
