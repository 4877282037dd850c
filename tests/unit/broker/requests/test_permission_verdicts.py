"""May a user do something?"""

from typing import Any

import pytest
from bare_queue import START_MS

from lastvalue.broker.administration.request import Response
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule

RULES = {
    "ann": ["administer $*"],
    "bob": ["read prices", "manage prices", "write archive"],
}


def broker_with_users() -> Broker:
    broker = Broker()
    permissions = {name: Permissions(parse_rule(rule) for rule in rules) for name, rules in RULES.items()}
    broker.authorization.permissions = lambda user: permissions.get(user, Permissions(()))
    return broker


def asked(broker: Broker, principal: str, **body: Any) -> Response:
    return manage(broker, Request("MAY", "permission", body=body), START_MS, Owner(principal=principal))


def lacks(answer: Response) -> dict[str, str]:
    return {each["verb"]: each["lacks"] for each in answer.body["verbs"] if not each["allowed"]}


def test_what_a_user_may_do_with_a_name_is_told_with_the_missing_right() -> None:
    missing = lacks(asked(broker_with_users(), "ann", user="bob", name="prices"))
    assert missing["publish"] == "write 'prices'"
    assert missing["declare-queue"] == "configure 'prices'"
    assert missing["snapshot"] == "administer '$store'"
    assert not {"consume", "browse", "query", "purge-queue", "move"} & missing.keys()


def test_a_destination_counts_for_verbs_that_have_one() -> None:
    broker = broker_with_users()
    assert "move" not in lacks(asked(broker, "bob", name="prices", destination="archive"))
    assert lacks(asked(broker, "bob", name="prices", destination="x"))["move"] == "write 'x'"


def test_a_question_without_a_name_is_about_the_broker_s_own_names() -> None:
    verbs = asked(broker_with_users(), "bob").body["verbs"]
    assert "show-log" in {each["verb"] for each in verbs}
    assert "publish" not in {each["verb"] for each in verbs}


def test_a_follower_says_whom_it_follows_and_what_it_leaves_to_the_leader() -> None:
    broker = broker_with_users()
    assert asked(broker, "bob").body["follows"] is None
    broker.authorization.leader = "two:5672"
    answer = asked(broker, "bob", name="prices").body
    assert answer["follows"] == "two:5672"
    needs = {each["verb"]: each["needs_leader"] for each in answer["verbs"]}
    assert (needs["publish"], needs["purge-queue"], needs["browse"]) == (True, True, False)


@pytest.mark.parametrize(
    ("body", "status"),
    [({"user": "ann"}, 403), ({"name": 5}, 422), ({"user": ["ann"]}, 422)],
)
def test_others_and_wrong_questions_are_refused(body: dict[str, Any], status: int) -> None:
    assert asked(broker_with_users(), "bob", **body).status == status
