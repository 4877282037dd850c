"""What every protocol does alike between its engine and the broker: consumers, producers, confirmations."""
