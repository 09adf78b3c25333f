"""Two faults in one answer: the graver label holds (docs/taxonomy.md, in what order)."""

from evaluator.faults import additions, bytes, elision, elsewhere, inside, neighbours, order, symbols, syntax
from evaluator.faults.additions import ADDED, BROKEN
from evaluator.faults.elision import BROKEN_ELISION, ELISION
from evaluator.faults.made import TESTS_FAIL, Both, Fixed
from evaluator.faults.symbols import MODIFIED, REMOVED

FAULTS = (
    Fixed("broken_and_removed", BROKEN, (symbols.FUNCTION, syntax.BRACKET)),
    Fixed("broken_and_test_deleted", BROKEN, (elsewhere.DELETED_TEST, syntax.BRACKET)),
    Fixed("broken_elision_and_removed", BROKEN_ELISION, (symbols.FUNCTION, elision.bracket)),
    Fixed("elision_and_added", ELISION, (additions.NEW_FILE, elision.tail)),
    Fixed("elision_and_removed", ELISION, (symbols.ANY, elision.body)),
    Fixed("removed_and_added", REMOVED, (symbols.ANY, additions.FUNCTION)),
    Fixed("removed_and_endings", REMOVED, (symbols.ANY, bytes.other_endings)),
    Fixed("removed_and_modified", REMOVED, (symbols.ANY, neighbours.LITERAL)),
    Fixed("modified_and_added", MODIFIED, (additions.FUNCTION, neighbours.LOGIC)),
    Fixed("modified_and_mark", MODIFIED, (neighbours.COMMENT, bytes.with_mark)),
    Fixed("modified_and_reordered", MODIFIED, (order.neighbours_swapped, neighbours.COMMENT)),
    Fixed("added_and_reordered", ADDED, (order.neighbours_swapped, additions.NEW_FILE)),
    Fixed("added_and_endings", ADDED, (bytes.other_endings, additions.NEW_FILE)),
    Fixed("added_and_new_test", ADDED, (additions.NEW_FILE, additions.NEW_TEST)),
    Fixed("undone_and_added", TESTS_FAIL, (inside.remark_instead, additions.NEW_FILE), from_nothing=True),
    Fixed("undone_and_test_deleted", TESTS_FAIL, (inside.remark_instead, elsewhere.DELETED_TEST), from_nothing=True),
    Both("wrong_and_removed", inside.LOGIC, symbols.FUNCTION),
    Both("wrong_and_added", inside.LOGIC, additions.NEW_FILE),
)
