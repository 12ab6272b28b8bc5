"""Which memories are alike, and how two of them stand to each other. Nothing is proposed here."""
