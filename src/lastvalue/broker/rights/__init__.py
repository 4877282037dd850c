"""What rights are: users, the permissions they have, and the verbs that need them."""
