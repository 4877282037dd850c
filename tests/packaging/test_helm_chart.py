"""packaging/helm: rendered by helm where the machine has it, and as it was rendered last everywhere."""

import json
import re
import tomllib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
import yaml
from rendered_chart import CASES, CHART, HELM, NATS_CHART, digest, helm, kept, objects, render, settings

from lastvalue import __version__
from lastvalue.config.merged_options import merged_options
from lastvalue.config.toml_reader import parse_toml
from lastvalue.store.log_address import LogAddress

pytestmark = pytest.mark.pure
by_helm = pytest.mark.skipif(HELM is None, reason="needs helm")
VALUES: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text())


def pod(case: str) -> dict[str, Any]:
    (found,) = [each for name, each in objects(case).items() if name.startswith("StatefulSet/")]
    spec: dict[str, Any] = found["spec"]["template"]["spec"]
    return spec


def broker(case: str) -> dict[str, Any]:
    return containers(case)["broker"]


def containers(case: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in pod(case)["containers"]}


def variables(case: str) -> dict[str, str]:
    return {each["name"]: each["value"] for each in broker(case)["env"] if "value" in each}


@pytest.mark.parametrize("case", CASES)
def test_what_is_kept_was_rendered_from_this_chart(case: str) -> None:
    assert digest() in kept(case), "helm has to render it again: make chart"


@by_helm
@pytest.mark.parametrize("case", CASES)
def test_helm_renders_what_is_kept_and_finds_no_fault(case: str) -> None:
    assert render(case) == kept(case)
    linted = helm("lint", "--strict", *settings(case))
    assert linted.returncode == 0, linted.stdout + linted.stderr


@by_helm
@pytest.mark.skipif(NATS_CHART is None, reason="needs NATS's own chart in LASTVALUE_NATS_CHART")
def test_with_the_chart_of_nats_its_servers_are_those_of_the_store_and_sync_before_they_answer() -> None:
    chart = Path(NATS_CHART or "")
    flags = ["--name-template", "broker", "--namespace", "market", *settings("cluster")]
    rendered = helm("template", *flags, nats=chart)
    assert rendered.returncode == 0, rendered.stderr
    found = {
        f"{each['kind']}/{each['metadata']['name']}": each
        for each in yaml.safe_load_all(rendered.stdout)
        if each
    }
    service = found["Service/broker-nats"]["spec"]
    assert 4222 in {port["port"] for port in service["ports"]}
    labels = found["StatefulSet/broker-nats"]["spec"]["template"]["metadata"]["labels"]
    assert service["selector"].items() <= labels.items()
    assert found["StatefulSet/broker-nats"]["spec"]["replicas"] == 3
    configuration = found["ConfigMap/broker-nats-config"]["data"]["nats.conf"]
    assert '"sync_interval": "always"' in configuration
    assert re.search(r'"password": \$LOG_PASSWORD,\s+"user": "lastvalue"', configuration)
    (server,) = [
        each
        for each in found["StatefulSet/broker-nats"]["spec"]["template"]["spec"]["containers"]
        if each["name"] == "nats"
    ]
    env = {each["name"]: each.get("valueFrom") for each in server["env"]}
    assert env["LOG_PASSWORD"] == {"secretKeyRef": {"name": "log-password", "key": "password"}}
    policy = found["NetworkPolicy/broker-log"]["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()
    assert "Deployment/broker-nats-box" not in found
    assert configuration.count("nats://broker-nats-") == 3
    linted = helm("lint", "--strict", *settings("cluster"), nats=chart)
    assert linted.returncode == 0, linted.stdout + linted.stderr


@by_helm
@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        ([], "set users.existingSecret"),
        (["--set", "users.anonymous=true", "--set", "replicas=3"], "replicas"),
        (["--set", "users.anonymous=true", "--set", "cluster.enabled=true"], "a cluster needs a log"),
        (["--set", "users.anonymous=true", "--set", "cluster.log=files"], "log"),
        (["--set", "users.anonymous=true", "--set", "persistence.size=lots"], "size"),
        (["--set", "users.anonymous=true", "--set", "http.enabled=true"], "http needs tls.existingSecret"),
        (["--set", "users.anonymous=true", "--set", "serviceMonitor.enabled=true"], "needs http.enabled"),
    ],
)
def test_helm_refuses_values_that_cannot_work(flags: list[str], fault: str) -> None:
    refused = helm("template", *flags)
    assert refused.returncode != 0
    assert fault in refused.stderr


def test_the_chart_is_of_this_version() -> None:
    assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == __version__


def described(values: dict[str, Any], schema: dict[str, Any], path: str = "") -> list[str]:
    """The values that the schema does not know, and the keys that it requires and that are missing."""
    known = schema.get("properties")
    if known is None:
        return []
    faults = [f"{path}{name}: required" for name in set(schema.get("required", ())) - set(values)]
    for name, value in values.items():
        if name not in known:
            faults.append(f"{path}{name}: unknown")
        elif isinstance(value, dict):
            faults += described(value, known[name], f"{path}{name}.")
    return faults


def test_the_schema_describes_every_value() -> None:
    assert described(VALUES, SCHEMA) == []
    assert described({"replicas": 3}, {"properties": {}}) == ["replicas: unknown"]


@pytest.mark.parametrize("case", CASES)
def test_its_variables_are_settings_of_the_broker(case: str) -> None:
    options = merged_options({}, variables(case), {})
    assert options.drain_timeout_ms == 1000 * int(CASES[case].get("shutdown.drainSeconds", 20))
    assert options.knows_users is (case != "anonymous")
    assert options.admits_anonymous is (case == "anonymous")


@pytest.mark.parametrize("case", CASES)
def test_the_pod_has_time_for_both_waits_and_for_the_rest_of_the_stop(case: str) -> None:
    wait_s = int(broker(case)["lifecycle"]["preStop"]["exec"]["command"][1])
    drain_s = int(variables(case)["LASTVALUE_DRAIN_TIMEOUT_MS"]) / 1000
    assert pod(case)["terminationGracePeriodSeconds"] >= wait_s + drain_s + 9


@pytest.mark.parametrize("case", CASES)
def test_probes_ask_what_the_broker_answers_on_a_port_that_it_opens(case: str) -> None:
    ports = {each["name"]: each["containerPort"] for each in broker(case)["ports"]}
    asked = {
        name: broker(case)[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert {name: get["path"] for name, get in asked.items()} == {
        "startupProbe": "/healthz",
        "livenessProbe": "/healthz",
        "readinessProbe": "/readyz",
    }
    assert {get["port"] for get in asked.values()} == {"health"}
    assert ports["health"] == 8080


@pytest.mark.parametrize("case", CASES)
def test_it_runs_without_privileges_as_the_images_user(case: str) -> None:
    user = pod(case)["securityContext"]
    assert (user["runAsNonRoot"], user["runAsUser"], user["fsGroup"]) == (True, 10001, 10001)
    for each in containers(case).values():
        container = each["securityContext"]
        assert (container["allowPrivilegeEscalation"], container["readOnlyRootFilesystem"]) == (False, True)
        assert container["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("case", CASES)
def test_everything_that_is_mounted_is_there(case: str) -> None:
    (stateful,) = [each for name, each in objects(case).items() if name.startswith("StatefulSet/")]
    claims = {each["metadata"]["name"] for each in stateful["spec"].get("volumeClaimTemplates", ())}
    volumes = {each["name"] for each in pod(case)["volumes"]} | claims
    assert {mount["name"] for each in containers(case).values() for mount in each["volumeMounts"]} == volumes
    mounts = {each["mountPath"] for each in broker(case)["volumeMounts"]}
    files = [value for value in variables(case).values() if value.startswith("/etc/")]
    assert all(any(file.startswith(mount) for mount in mounts) for file in files)
    assert stateful["spec"]["replicas"] == (3 if case.startswith("cluster") else 1)


@pytest.mark.parametrize("case", CASES)
def test_services_lead_to_ports_of_the_pod_by_its_labels(case: str) -> None:
    (stateful,) = [each for name, each in objects(case).items() if name.startswith("StatefulSet/")]
    labels = stateful["spec"]["template"]["metadata"]["labels"].items()
    ports = {each["name"] for each in broker(case)["ports"]}
    found = {name: each for name, each in objects(case).items() if name.startswith("Service/")}
    services = {name: each for name, each in found.items() if name != "Service/broker-nats"}
    assert f"Service/{stateful['spec']['serviceName']}" in services
    for service in services.values():
        assert service["spec"]["selector"].items() - {("lastvalue/role", "leader")} <= labels
        assert {each["targetPort"] for each in service["spec"]["ports"]} <= ports


def test_brokers_of_a_cluster_share_the_log_of_the_chart_that_it_depends_on() -> None:
    settings_of = variables("cluster")
    options = merged_options({}, settings_of, {})
    assert isinstance(options.store, LogAddress)
    assert (options.store.servers, options.store.name) == (("broker-nats.market.svc:4222",), "BROKER")
    assert "Service/broker-nats" in objects("cluster")
    assert (options.follow, options.store_lease_ms) == (True, 5000)
    assert "Service/broker-nats" not in objects("secured")
    (dependency,) = yaml.safe_load((CHART / "Chart.yaml").read_text())["dependencies"]
    assert (dependency["name"], dependency["condition"]) == ("nats", "nats.enabled")
    assert VALUES["nats"]["config"]["jetstream"]["merge"] == {"sync_interval": "always"}


def test_brokers_log_in_to_the_log_with_the_secret_that_its_servers_have() -> None:
    options = merged_options({}, variables("cluster"), {})
    assert isinstance(options.store, LogAddress)
    assert (options.store.user, options.store.password) == ("lastvalue", "$(LOG_PASSWORD)")
    names = [each["name"] for each in broker("cluster")["env"]]
    assert names.index("LOG_PASSWORD") < names.index("LASTVALUE_STORE")
    secret = {each["name"]: each.get("valueFrom") for each in broker("cluster")["env"]}["LOG_PASSWORD"]
    assert secret == {"secretKeyRef": {"name": "log-password", "key": "password"}}
    nats = VALUES["nats"]
    assert nats["config"]["merge"]["authorization"] == {
        "user": "lastvalue",
        "password": "<< $LOG_PASSWORD >>",
    }
    assert set(nats["container"]["env"]) == {"LOG_PASSWORD"}


def test_an_address_with_a_password_comes_from_a_secret() -> None:
    env = {each["name"]: each.get("valueFrom") for each in broker("cluster-elsewhere")["env"]}
    assert env["LASTVALUE_STORE"] == {"secretKeyRef": {"name": "log-address", "key": "address"}}
    assert "LOG_PASSWORD" not in env


def test_only_brokers_reach_the_servers_of_the_log_and_these_each_other() -> None:
    policy = objects("cluster")["NetworkPolicy/broker-log"]["spec"]
    servers = {"app.kubernetes.io/name": "nats", "app.kubernetes.io/instance": "broker"}
    assert policy["podSelector"]["matchLabels"] == servers
    assert policy["policyTypes"] == ["Ingress"]
    allowed = {
        tuple(each["from"][0]["podSelector"]["matchLabels"].values()): [
            port["port"] for port in each["ports"]
        ]
        for each in policy["ingress"]
    }
    assert allowed == {("lastvalue", "broker"): [4222, 8222], ("nats", "broker"): [4222, 6222]}
    pods = objects("cluster")["StatefulSet/broker"]["spec"]["template"]["metadata"]["labels"]
    assert policy["ingress"][0]["from"][0]["podSelector"]["matchLabels"].items() <= pods.items()
    for case in ("anonymous", "secured", "cluster-elsewhere"):
        assert not [name for name in objects(case) if name.startswith(("NetworkPolicy/", "Secret/"))]


@by_helm
def test_a_password_is_generated_where_none_is_given() -> None:
    flags = ["--name-template", "broker", "--set", "nats.enabled=true", "--set", "cluster.enabled=true"]
    found = set()
    for _ in range(2):
        rendered = helm("template", *flags, "--set", "users.anonymous=true")
        assert rendered.returncode == 0, rendered.stderr
        (secret,) = [
            each for each in yaml.safe_load_all(rendered.stdout) if each and each["kind"] == "Secret"
        ]
        assert secret["metadata"]["name"] == "broker-log"
        found.add(b64decode(secret["data"]["password"]).decode())
        assert '"broker-log"' in rendered.stdout or "name: broker-log" in rendered.stdout
    assert all(re.fullmatch("p[A-Za-z0-9]{31}", each) for each in found)
    assert len(found) == 2


def test_a_broker_of_a_cluster_advertises_its_own_name_which_a_service_gives_it() -> None:
    name, _, port = variables("cluster")["LASTVALUE_ADVERTISE"].rpartition(":")
    pod_name, _, rest = name.partition(".")
    (from_pod,) = [each for each in broker("cluster")["env"] if each["name"] == "POD_NAME"]
    assert (pod_name, from_pod["valueFrom"]["fieldRef"]["fieldPath"]) == ("$(POD_NAME)", "metadata.name")
    (stateful,) = [each for key, each in objects("cluster").items() if key.startswith("StatefulSet/")]
    service = objects("cluster")[f"Service/{stateful['spec']['serviceName']}"]
    assert rest == f"{service['metadata']['name']}.market.svc"
    assert service["spec"]["clusterIP"] == "None"
    assert int(port) in {each["port"] for each in service["spec"]["ports"]}
    names = [each["name"] for each in broker("cluster")["env"]]
    assert names.index("POD_NAME") < names.index("LASTVALUE_ADVERTISE")


@pytest.mark.parametrize("case", ["cluster", "cluster-elsewhere"])
def test_a_service_leads_to_the_leader_whose_pod_a_container_beside_the_broker_labels(case: str) -> None:
    found = objects(case)
    selector = found["Service/broker-leader"]["spec"]["selector"]
    readers = found["Service/broker"]["spec"]["selector"]
    script = found["ConfigMap/broker-role"]["data"]["role_label.py"]
    assert selector == readers | {"lastvalue/role": "leader"}
    assert 'LABEL = "lastvalue/role"' in script
    # No pod is made with the label, so that nobody leads before it is known who does.
    assert "lastvalue/role" not in found["StatefulSet/broker"]["spec"]["template"]["metadata"]["labels"]
    assert containers(case)["role"]["command"] == ["python", "/etc/lastvalue/role/role_label.py"]
    mounts = {each["name"] for each in containers(case)["role"]["volumeMounts"]}
    assert mounts == {"role", "account"}
    assert not mounts & {each["name"] for each in broker(case)["volumeMounts"]}


def test_the_label_may_be_given_to_pods_of_these_brokers_alone() -> None:
    found = objects("cluster")
    assert found["Role/broker-role"]["rules"] == [
        {
            "apiGroups": [""],
            "resources": ["pods"],
            "verbs": ["patch"],
            "resourceNames": ["broker-0", "broker-1", "broker-2"],
        }
    ]
    binding = found["RoleBinding/broker-role"]
    assert binding["roleRef"]["name"] == "broker-role"
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "broker", "namespace": "market"}]
    assert pod("cluster")["serviceAccountName"] == found["ServiceAccount/broker"]["metadata"]["name"]
    assert pod("cluster")["automountServiceAccountToken"] is False
    for case in ("anonymous", "secured"):
        assert not [name for name in objects(case) if name.startswith(("Role", "ServiceAccount/"))]
        assert list(containers(case)) == ["broker"]


@by_helm
def test_where_no_container_may_label_pods_there_is_no_service_for_the_leader() -> None:
    flags = [*settings("cluster"), "--set", "cluster.leaderService=false"]
    rendered = helm("template", "--name-template", "broker", *flags)
    assert rendered.returncode == 0, rendered.stderr
    assert "role" not in rendered.stdout


def test_brokers_of_a_cluster_are_disrupted_one_at_a_time() -> None:
    budget = objects("cluster")["PodDisruptionBudget/broker"]["spec"]
    labels = objects("cluster")["StatefulSet/broker"]["spec"]["template"]["metadata"]["labels"]
    assert budget["maxUnavailable"] == 1
    assert budget["selector"]["matchLabels"].items() <= labels.items()


def test_the_monitor_reads_the_metrics_that_the_service_leads_to() -> None:
    monitor = objects("secured")["ServiceMonitor/prices"]["spec"]
    (endpoint,) = monitor["endpoints"]
    services = [each for name, each in objects("secured").items() if name.startswith("Service/")]
    led = [each for each in services if endpoint["port"] in {port["name"] for port in each["spec"]["ports"]}]
    assert [each["metadata"]["name"] for each in led] == ["prices"]
    assert monitor["selector"]["matchLabels"].items() <= led[0]["metadata"]["labels"].items()
    options = merged_options({}, variables("secured"), {})
    (port,) = [each["containerPort"] for each in broker("secured")["ports"] if each["name"] == "http"]
    assert (options.http_port, endpoint["path"], endpoint["scheme"]) == (port, "/metrics", "https")
    assert "ServiceMonitor/broker" not in objects("anonymous")


def test_the_configuration_is_one_that_the_broker_reads() -> None:
    text = objects("anonymous")["ConfigMap/broker"]["data"]["lastvalue.toml"]
    assert text == VALUES["config"]
    example = re.sub(r"(?m)^# ", "", text)
    assert [queue["name"] for queue in tomllib.loads(example)["queue"]] == ["prices"]
    assert parse_toml(example).queues[0].name == "prices"
