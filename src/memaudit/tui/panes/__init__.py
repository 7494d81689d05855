"""The right side of the screen: the selected claim, and its evidence, memory, reasons and history."""
