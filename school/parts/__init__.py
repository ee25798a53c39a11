"""The parts of an open class: each handles some kinds of letters from pupils and the desk; one watches the disk."""
