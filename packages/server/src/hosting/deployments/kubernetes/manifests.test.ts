import { createValidation } from "@feather/testing/fake-kubernetes";
import { describe, expect, test } from "vitest";
import type { DeploymentSpec } from "../provider.ts";
import type { PodFiles } from "./containers.ts";
import { hardwareSchema } from "./hardware.ts";
import { manifestsOf } from "./manifests.ts";
import type { ClusterObject } from "./objects.ts";
import { clusterSettings } from "./testing/test-cluster.ts";

const CLUSTER = {
  kubeconfig: "/k",
  serverKubeconfig: "/k",
  namespace: "models",
  engineImage: "engine:1",
  vllmImage: "vllm:1",
};
const GPU_ROW = {
  id: "l4",
  gpu: "NVIDIA L4",
  gpu_count: 2,
  cpu: "8",
  memory: "48Gi",
  shared_memory: "4Gi",
  node_selector: { "cloud.example/gpu": "l4" },
  tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
};

type Input = {
  hardware?: object;
  spec?: Partial<DeploymentSpec>;
  files?: PodFiles;
  settings?: object;
  hubToken?: string;
  filesToken?: string;
};

function build({ hardware = GPU_ROW, spec, files = { from: "vllm" }, settings, hubToken, filesToken }: Input = {}) {
  const objects = manifestsOf({
    target: {
      id: "dep_4fJqM1t9Zk",
      generation: 3,
      replicas: 2,
      spec: {
        organizationId: "org_1",
        modelKey: "Qwen/Qwen3-8B",
        revision: "main",
        region: "cluster",
        instanceType: "l4",
        engineArgs: {},
        ...spec,
      },
    },
    namespace: "models",
    owner: "feather-1",
    hardware: hardwareSchema.parse(hardware),
    settings: clusterSettings(CLUSTER, settings),
    apiKey: "key",
    hubToken,
    filesToken,
    hubUrl: "https://hub.example",
    serverUrl: "http://feather.svc/",
    files,
  });
  const find = <K extends string>(kind: K) => objects.find((one) => one.kind === kind) as ClusterObject<never> & object;
  const deployment = find("Deployment") as unknown as ClusterObject<"Deployment">;
  const pod = deployment?.spec?.template.spec;
  const groups = find("LeaderWorkerSet") as unknown as ClusterObject<"LeaderWorkerSet">;
  return { objects, find, deployment, groups, pod, container: pod?.containers[0], weights: pod?.initContainers?.[0] };
}

const hub: PodFiles = {
  from: "hub",
  repository: "quantizer/model-GGUF",
  revision: "abc",
  file: "q4/model-00001-of-00002.gguf",
};
const served: PodFiles = { from: "server", version: "c0ffee", names: ["config.json", "a b.safetensors"] };
const cpu = { id: "cpu", memory: "8Gi" };

test.each<[string, Input]>([
  ["vLLM on GPUs", {}],
  ["vLLM over several nodes", { hardware: { ...GPU_ROW, nodes: 3 } }],
  ["vLLM over several nodes with files of the server", { hardware: { ...GPU_ROW, nodes: 3 }, files: served }],
  ["the engine with a file of its image", { hardware: cpu, files: { from: "image" } }],
  ["the engine with a file of the hub", { hardware: cpu, files: hub, hubToken: "hf_1" }],
  ["the engine with a file of the server", { hardware: cpu, files: served, filesToken: "f" }],
  [
    "a cache on a claim, and secrets for images",
    { settings: { cacheClaim: "weights", imagePullSecrets: ["registry"] } },
  ],
])("the objects for %s are valid by the schemas of Kubernetes", (_name, input) => {
  const validate = createValidation();
  expect(build(input).objects.map((object) => validate(object.kind, object))).toEqual([null, null, null, null]);
});

test("every object has its owner in names and labels that Kubernetes accepts", () => {
  for (const { metadata } of build().objects) {
    expect(metadata.name).toMatch(/^dep-[0-9a-f]{20}$/);
    expect(metadata.labels).toMatchObject({
      "app.kubernetes.io/managed-by": "feather",
      "feather/owner": "feather-1",
      "feather/deployment": "dep_4fJqM1t9Zk",
      "feather/organization": "org_1",
    });
  }
});

test("a change of the settings changes the pods, but not the selector", () => {
  const first = build();
  const second = build({ spec: { revision: "v2" } });
  expect(second.deployment.spec?.selector).toEqual(first.deployment.spec?.selector);
  expect(second.deployment.spec?.template).not.toEqual(first.deployment.spec?.template);
  expect(build({ hubToken: "hf_2" }).deployment.spec?.template).not.toEqual(first.deployment.spec?.template);
});

describe("vLLM", () => {
  test("vLLM gets the model, its revision and all GPUs of the hardware, and no key on its command line", () => {
    const { container, pod } = build({ spec: { engineArgs: { max_model_len: 8192, tool_call_parser: "hermes" } } });
    expect(container?.command).toEqual(["vllm"]);
    expect(container?.args).toEqual([
      ...["serve", "/cache/hub/Qwen/Qwen3-8B/main", "--port", "8000", "--served-model-name", "Qwen/Qwen3-8B"],
      ...["--scheduling-policy", "priority", "--tensor-parallel-size", "2", "--max-model-len", "8192"],
      ...["--enable-auto-tool-choice", "--tool-call-parser", "hermes"],
    ]);
    expect(container?.resources?.limits).toEqual({ memory: "48Gi", "nvidia.com/gpu": "2" });
    expect(pod?.nodeSelector).toEqual({ "cloud.example/gpu": "l4" });
    expect(pod?.tolerations).toEqual([{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }]);
    expect(pod?.volumes).toContainEqual({ name: "shared-memory", emptyDir: { medium: "Memory", sizeLimit: "4Gi" } });
  });

  test("vLLM runs without the hub and its token, which only the init container has", () => {
    for (const hardware of [GPU_ROW, { ...GPU_ROW, nodes: 2 }]) {
      const { deployment, groups } = build({ hardware, hubToken: "hf_1", spec: { revision: "refs/pr/1" } });
      const { leaderTemplate, workerTemplate } = groups?.spec?.leaderWorkerTemplate ?? {};
      for (const template of [deployment?.spec?.template, leaderTemplate, workerTemplate].filter(Boolean)) {
        const [weights] = template?.spec?.initContainers ?? [];
        const [container] = template?.spec?.containers ?? [];
        expect(JSON.stringify(container)).not.toMatch(/HF_TOKEN|HF_ENDPOINT|hub-token/);
        expect(container?.env).toContainEqual({ name: "HF_HUB_OFFLINE", value: "1" });
        expect(weights).toMatchObject({
          image: "vllm:1",
          args: ["Qwen/Qwen3-8B", "refs/pr/1", "/cache/hub/Qwen/Qwen3-8B/refs--pr--1"],
          env: expect.arrayContaining([
            { name: "HF_TOKEN", valueFrom: { secretKeyRef: expect.objectContaining({ key: "hub-token" }) } },
            { name: "HF_ENDPOINT", value: "https://hub.example" },
          ]),
        });
      }
    }
  });
});

describe("the engine", () => {
  test("the engine in a pod gets a file of its image without a download", () => {
    const spec = { modelKey: "feather/demo", engineArgs: { context: 512, threads: 2 } };
    const { container, weights } = build({ hardware: cpu, spec, files: { from: "image" } });
    expect(weights).toBeUndefined();
    expect(container?.args).toEqual([
      ...["serve", "/models/feather/demo.gguf", "--host", "0.0.0.0", "--port", "8000", "--model-id", "feather/demo"],
      ...["--context", "512", "--threads", "2"],
    ]);
    expect(container?.securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true });
  });

  test("the engine in a pod gets all parts of a split file of the hub, with the operator's token", () => {
    const { container, weights } = build({ hardware: cpu, spec: { modelKey: "acme/m" }, files: hub });
    const address = "https://hub.example/quantizer/model-GGUF/resolve/abc/q4";
    const folder = "/cache/gguf/acme/m/abc";
    expect(weights?.args).toEqual([
      ...["fetch", folder, `${address}/model-00001-of-00002.gguf`, `${address}/model-00002-of-00002.gguf`],
    ]);
    expect(container?.args?.[1]).toBe(`${folder}/model-00001-of-00002.gguf`);
    expect(weights?.env).toEqual([
      { name: "HF_TOKEN", valueFrom: { secretKeyRef: expect.objectContaining({ key: "hub-token", optional: true }) } },
    ]);
  });
});

describe("files that only the server has", () => {
  const spec = { modelKey: "org_1:acme/own" };
  const address = "http://feather.svc/api/deployments/dep_4fJqM1t9Zk/files/c0ffee";
  const token = { secretKeyRef: expect.objectContaining({ key: "files-token" }) };

  test("vLLM gets files that only the server has from there, with the deployment's token, and does not contact the hub", () => {
    const { container, weights } = build({ spec, files: served, filesToken: "secret" });
    const folder = "/cache/server/acme/own/c0ffee";
    expect(weights?.args).toEqual(["fetch", folder, `${address}/config.json`, `${address}/a%20b.safetensors`]);
    expect(weights?.env).toEqual([{ name: "FEATHER_FILES_TOKEN", valueFrom: token }]);
    expect(container?.args?.slice(0, 6)).toEqual([
      ...["serve", folder, "--port", "8000", "--served-model-name", "org_1:acme/own"],
    ]);
    expect(container?.args).not.toContain("--revision");
    const names = container?.env?.map(({ name }) => name);
    expect(names).toContain("HF_HUB_OFFLINE");
    expect(names).not.toContain("HF_TOKEN");
  });

  test("the engine runs files that only the server has under the key of the model", () => {
    const files: PodFiles = { from: "server", version: "c0ffee", names: ["c0ffee.gguf"] };
    const { container } = build({ hardware: cpu, spec, files, filesToken: "secret" });
    expect(container?.args?.[1]).toBe("/cache/server/acme/own/c0ffee/c0ffee.gguf");
    expect(container?.args?.join(" ")).toContain("--model-id org_1:acme/own");
  });

  test("a new token for files that only the server has replaces the pods", () => {
    const templateOf = (filesToken: string) => build({ spec, files: served, filesToken }).deployment.spec?.template;
    expect(templateOf("a")).not.toEqual(templateOf("b"));
  });
});

describe("vLLM over several nodes", () => {
  const hardware = { ...GPU_ROW, nodes: 3 };
  const templatesOf = (input: Input = {}) => {
    const { leaderTemplate, workerTemplate } = build({ hardware, ...input }).groups.spec?.leaderWorkerTemplate ?? {};
    const containerOf = (template: typeof leaderTemplate) => template?.spec?.containers[0];
    return { leaderTemplate, workerTemplate, leader: containerOf(leaderTemplate), worker: containerOf(workerTemplate) };
  };

  test("vLLM over several nodes is a LeaderWorkerSet instead of a Deployment, and a new group is ready before an old one stops", () => {
    const { deployment, groups } = build({ hardware });
    expect(deployment).toBeUndefined();
    expect(groups.spec).toMatchObject({
      replicas: 2,
      startupPolicy: "LeaderCreated",
      networkConfig: { subdomainPolicy: "UniquePerReplica" },
      rolloutStrategy: { type: "RollingUpdate", rollingUpdateConfiguration: { maxUnavailable: 0, maxSurge: 1 } },
      leaderWorkerTemplate: { size: 3, restartPolicy: "RecreateGroupOnPodRestart" },
    });
  });

  test("vLLM over several nodes uses tensor parallelism within a node and pipeline parallelism between nodes, which find the leader by its name", () => {
    const { leader, worker } = templatesOf({ spec: { engineArgs: { max_model_len: 8192 } } });
    expect(leader?.args).toEqual([
      ...["serve", "/cache/hub/Qwen/Qwen3-8B/main", "--port", "8000", "--served-model-name", "Qwen/Qwen3-8B"],
      ...["--scheduling-policy", "priority"],
      ...["--tensor-parallel-size", "2", "--pipeline-parallel-size", "3", "--distributed-executor-backend", "mp"],
      ...["--nnodes", "3", "--node-rank", "$(LWS_WORKER_INDEX)", "--master-addr", "$(LWS_LEADER_ADDRESS)"],
      ...["--master-port", "29500", "--distributed-timeout-seconds", "3600", "--max-model-len", "8192"],
    ]);
    expect(worker?.args?.filter((word) => !leader?.args?.includes(word))).toEqual(["--headless"]);
    expect(worker?.resources).toEqual(leader?.resources);
  });

  test("vLLM over several nodes has leaders that receive calls, and workers without a port, probes and the API key", () => {
    const { leader, worker } = templatesOf();
    const namesOf = (container: typeof leader) => container?.env?.map(({ name }) => name);
    expect(namesOf(leader)).toContain("VLLM_API_KEY");
    expect(namesOf(worker)).toEqual(namesOf(leader)?.filter((name) => name !== "VLLM_API_KEY"));
    expect(leader?.startupProbe).toBeDefined();
    for (const field of ["ports", "startupProbe", "readinessProbe", "livenessProbe", "lifecycle"] as const)
      expect(worker?.[field]).toBeUndefined();
  });

  test("only leaders of vLLM over several nodes are selected for calls, and a disruption budget covers all pods", () => {
    const { find } = build({ hardware });
    const { leaderTemplate, workerTemplate } = templatesOf();
    const { selector } = (find("Service") as unknown as ClusterObject<"Service">).spec ?? {};
    expect(selector).toEqual((build().find("Service") as unknown as ClusterObject<"Service">).spec?.selector);
    expect(leaderTemplate?.metadata?.labels).toMatchObject(selector ?? {});
    expect(workerTemplate?.metadata?.labels).not.toHaveProperty(["feather/deployment"]);
    expect(workerTemplate?.metadata?.labels).toMatchObject({ "feather/worker-of": "dep_4fJqM1t9Zk" });
    const budget = find("PodDisruptionBudget") as unknown as ClusterObject<"PodDisruptionBudget">;
    expect(budget.spec?.selector?.matchLabels).toEqual({
      "feather/owner": "feather-1",
      "leaderworkerset.sigs.k8s.io/name": budget.metadata.name,
    });
  });

  test("vLLM over several nodes lets the pods of one deployment reach each other, where policies are wanted", () => {
    const settings = { groupPolicies: "on" };
    const policy = build({ hardware, settings }).find("NetworkPolicy") as unknown as ClusterObject<"NetworkPolicy">;
    const labels = { "feather/owner": "feather-1", "leaderworkerset.sigs.k8s.io/name": policy.metadata.name };
    const pods = { podSelector: { matchLabels: labels } };
    expect(policy.spec).toEqual({
      ...pods,
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: [pods] }],
      egress: [{ to: [pods] }],
    });
    expect(createValidation()("NetworkPolicy", policy)).toBeNull();
    expect(build({ hardware }).find("NetworkPolicy")).toBeUndefined();
    expect(build({ settings }).find("NetworkPolicy")).toBeUndefined();
  });

  test("vLLM over several nodes has each pod of a group on a node of its own", () => {
    for (const template of [templatesOf().leaderTemplate, templatesOf().workerTemplate])
      expect(template?.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
        expect.objectContaining({
          topologyKey: "kubernetes.io/hostname",
          matchLabelKeys: ["leaderworkerset.sigs.k8s.io/group-key"],
        }),
      ]);
  });

  test("all pods of vLLM over several nodes download the files of the server", () => {
    const { leaderTemplate, workerTemplate } = templatesOf({ files: served, filesToken: "secret" });
    const weights = leaderTemplate?.spec?.initContainers;
    expect(weights?.[0]?.args?.[0]).toBe("fetch");
    expect(workerTemplate?.spec?.initContainers).toEqual(weights);
  });
});

test("organizations that share a claim have separate folders on it", () => {
  const { container, pod } = build({ settings: { cacheClaim: "weights" } });
  expect(pod?.volumes?.[0]).toEqual({ name: "cache", persistentVolumeClaim: { claimName: "weights" } });
  expect(container?.volumeMounts?.[0]).toEqual({ name: "cache", mountPath: "/cache", subPath: "org_1" });
});
