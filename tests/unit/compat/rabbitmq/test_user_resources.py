"""Rules as RabbitMQ's tags and permissions, and back."""

import pytest

from lastvalue.compat.rabbitmq.user_resources import (
    has_permissions,
    permission_resource,
    tags_of,
    wildcards_of,
    with_permissions,
    with_tags,
)


@pytest.mark.parametrize(
    ("rules", "tags"),
    [
        (("all *", "all $*"), ["administrator"]),
        (("read,administer $*",), ["administrator"]),
        (("administer $broker",), ["monitoring"]),
        (("all *",), []),
        (("administer $store", "browse $broker"), []),
    ],
)
def test_a_tag_is_a_right_on_the_brokers_own_names(rules: tuple[str, ...], tags: list[str]) -> None:
    assert tags_of(rules) == tags


def test_tags_replace_tags_and_permissions_replace_permissions() -> None:
    rules = ["all *", "administer $broker", "administer $store"]
    assert with_tags(rules, ["administrator"]) == ["all *", "administer $store", "administer $*"]
    assert with_tags(rules, ["management"]) == ["all *", "administer $store"]
    assert with_tags(rules, ["monitoring"]) == rules
    expressions = {"configure": "^$", "write": "^a$", "read": "^(a|b)$"}
    patterns = {action: wildcards_of(each) for action, each in expressions.items()}
    permitted = with_permissions(rules, patterns)
    assert permitted == [
        "administer $broker",
        "administer $store",
        "write a",
        "read,browse,manage a",
        "read,browse,manage b",
    ]
    assert has_permissions(permitted, patterns)
    assert has_permissions(rules, patterns)
    assert not has_permissions(permitted, {"write": ["b"]})


def test_permissions_without_any_are_none() -> None:
    assert permission_resource("ann", ["administer $*", "browse q"]) is None
    shown = permission_resource("ann", ["configure,write x.*", "read x.*", "read y"])
    assert shown == {
        "user": "ann",
        "vhost": "/",
        "configure": "^x\\..*$",
        "write": "^x\\..*$",
        "read": "^(x\\..*|y)$",
    }


def test_an_expression_without_patterns_is_named() -> None:
    with pytest.raises(ValueError, match=r"'a\+'"):
        wildcards_of("a+")
