import { z } from "zod";
import { fromJson, type SettingDeclarations, type SettingsOf } from "../../../platform/core/settings.ts";
import { hardwareSchema } from "./hardware.ts";

const DEFAULT_HARDWARE = '[{"id":"cpu"}]';
/** A name that Kubernetes accepts. */
const name = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "must be a name of Kubernetes");
const image = z.string().regex(/^[\w.:/@-]{1,500}$/, "must be the name of an image");

const hardware = z
  .array(hardwareSchema)
  .min(1)
  .max(100)
  .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, "two rows have the same id");

/** Settings of the cluster in which deployments run. */
export const kubernetesSettings = {
  connection: {
    env: "FEATHER_KUBERNETES",
    doc: "Whether deployments can run in a Kubernetes cluster: off, in-cluster (the server runs there and uses its service account), or the path of a kubeconfig.",
    schema: z.string().min(1).max(1000),
    default: "off",
  },
  context: {
    env: "FEATHER_KUBERNETES_CONTEXT",
    doc: "The context of the kubeconfig; by default its current one.",
    schema: z.string().min(1).max(250).optional(),
    default: undefined,
  },
  namespace: {
    env: "FEATHER_KUBERNETES_NAMESPACE",
    doc: "The namespace for deployments. It must exist.",
    schema: name,
    default: "feather",
  },
  hardware: {
    env: "FEATHER_KUBERNETES_HARDWARE",
    doc: 'The kinds of machines in the cluster, as JSON: [{"id","gpu","gpu_count","vram_gb","nodes","cpu","memory","node_selector","tolerations","runtime","hourly_nano_usd"}]; see /docs/kubernetes.',
    schema: fromJson(hardware),
    default: DEFAULT_HARDWARE,
  },
  vllmImage: {
    env: "FEATHER_KUBERNETES_VLLM_IMAGE",
    doc: "The image that runs models with vLLM; it has the command vllm. Name a version that you have tried.",
    schema: image,
    default: "docker.io/vllm/vllm-openai:v0.33.0",
  },
  engineImage: {
    env: "FEATHER_KUBERNETES_ENGINE_IMAGE",
    doc: "The image that runs GGUF files with Feather's engine, made from deploy/Containerfile.engine. Without it, kinds of machines that run the engine are not offered.",
    schema: image.optional(),
    default: undefined,
  },
  serverUrl: {
    env: "FEATHER_KUBERNETES_SERVER_URL",
    doc: "The address under which pods reach this server, such as http://feather.feather.svc (the chart sets it). From there they get the files that only the server has: private models, converted ones, and those of FEATHER_HUB_DIR. Without it, these do not run in the cluster.",
    schema: z
      .url({ protocol: /^https?$/, hostname: /^[\w.:[\]-]+$/ })
      .max(500)
      .optional(),
    default: undefined,
  },
  groupPolicies: {
    env: "FEATHER_KUBERNETES_GROUP_POLICIES",
    doc: "Whether a deployment over several nodes gets a NetworkPolicy by which its pods reach each other: on or off. On where other policies select the pods of models, as those of the chart do, which sets it.",
    schema: z.enum(["on", "off"]),
    default: "off",
  },
  imagePullPolicy: {
    env: "FEATHER_KUBERNETES_PULL_POLICY",
    doc: "When nodes pull the images.",
    schema: z.enum(["Always", "IfNotPresent", "Never"]),
    default: "IfNotPresent",
  },
  imagePullSecrets: {
    env: "FEATHER_KUBERNETES_PULL_SECRETS",
    doc: 'Names of Secrets in the namespace with which nodes pull the images, as JSON: ["name"].',
    schema: fromJson(z.array(name).max(10)),
    default: "[]",
  },
  cacheClaim: {
    env: "FEATHER_KUBERNETES_CACHE",
    doc: "Name of a persistent volume claim in the namespace, on which replicas keep weights; several nodes must be able to write to it. By default each replica downloads them anew.",
    schema: name.optional(),
    default: undefined,
  },
} as const satisfies SettingDeclarations;

/** The settings of the cluster. */
export type KubernetesSettings = SettingsOf<typeof kubernetesSettings>;
