"""Management over messages of CORE, as Artemis's tool and clients ask for it."""
