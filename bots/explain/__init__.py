"""Why a bot from class plays what it plays: the tree that its algorithm saw, as text, as a drawing, as JSON."""
