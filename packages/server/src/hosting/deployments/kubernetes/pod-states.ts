import type { V1ContainerStatus, V1Endpoint, V1EndpointSlice } from "@kubernetes/client-node";
import { createVllmLog } from "../../runtimes/index.ts";
import type { Endpoint, Replica } from "../provider.ts";
import { MODEL_CONTAINER, POD_PORT } from "./containers.ts";
import type { PodRuntime } from "./hardware.ts";
import { type ClusterEvent, type ClusterObject, GENERATION_LABEL } from "./objects.ts";
import { isWhole, type PodGroup, toGroups } from "./pod-groups.ts";

/** The reason of a group's last end, and the number of ends since it was last ready. */
export type GroupEnd = { reason: string; count: number };

/** The observed objects of a deployment from which its replicas are derived. */
export type PodsInput = {
  pods: readonly ClusterObject<"Pod">[];
  slices: readonly V1EndpointSlice[];
  events: readonly ClusterEvent[];
  /** The token that pods expect; null if it is unknown. */
  apiKey: string | null;
  /** Returns the program that a pod runs. */
  runtimeOf(pod: ClusterObject<"Pod">): PodRuntime;
  /** Returns the last end of a group, by its leader's name; undefined if it has not ended since it was last ready. */
  findGroupEnd?(name: string): GroupEnd | undefined;
};

type Address = { host: string; port: number };
type State = Pick<Replica, "state" | "reason">;

const MAX_REASON_LENGTH = 600;
/** After this many ends a group counts as failed, as a container in CrashLoopBackOff does. */
const FAILED_AFTER_ENDS = 2;
/** Reasons of waiting containers that do not start without an intervention. */
const IMAGE_PROBLEMS = new Set(["ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName"]);
const CONFIG_PROBLEMS = new Set(["CreateContainerConfigError", "CreateContainerError", "RunContainerError"]);
/** Events that explain why a pod does not start; other causes are in the states of its containers. */
const TELLING_EVENTS = new Set([
  "FailedAttachVolume",
  "FailedCreatePodSandBox",
  "FailedMapVolume",
  "FailedMount",
  "FailedToRetrieveImagePullSecret",
  "NetworkNotReady",
]);

/**
 * Returns the replicas of a deployment, sorted by name. A group of pods is one replica with its leader's name. Pods in the
 * phase `Failed` or `Succeeded` are left out, because the cluster replaces them.
 */
export function toReplicas(input: PodsInput): Replica[] {
  const addresses = readyAddresses(input.slices);
  const pods = input.pods.filter(({ status }) => status?.phase !== "Failed" && status?.phase !== "Succeeded");
  return toGroups(pods)
    .map((group) => toReplica(group, addresses.get(group.leader.metadata.name), input))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toReplica(group: PodGroup, address: Address | undefined, input: PodsInput): Replica {
  const { leader } = group;
  const { name, labels, deletionTimestamp } = leader.metadata;
  const base = { name, generation: Number(labels?.[GENERATION_LABEL] ?? 0) };
  if (deletionTimestamp) return { ...base, state: "stopping", reason: null, endpoint: null };
  const { apiKey, runtimeOf } = input;
  if (address !== undefined && isAddressOf(leader, address) && apiKey !== null && isWhole(group))
    return { ...base, state: "ready", reason: null, endpoint: toEndpoint(address, apiKey, runtimeOf(leader)) };
  return { ...base, ...findGroupState(group, input), endpoint: null };
}

/**
 * Returns the state of the first failed pod of a group, or else of the first pod with a reason. Without one, the state that
 * follows from the last recorded end.
 */
function findGroupState({ leader, workers }: PodGroup, { events, findGroupEnd }: PodsInput): State {
  const states = [leader, ...workers]
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map((pod) => findState(pod, events));
  const state = states.find((one) => one.state === "failed") ?? states.find(({ reason }) => reason !== null);
  const end = findGroupEnd?.(leader.metadata.name);
  if (state || !end) return state ?? { state: "starting", reason: null };
  return { state: end.count >= FAILED_AFTER_ENDS ? "failed" : "starting", reason: end.reason };
}

function toEndpoint(address: Address, apiKey: string, runtime: PodRuntime): Endpoint {
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return { baseUrl: `http://${host}:${address.port}/v1`, apiKey, program: runtime };
}

/** Returns the addresses of ready pods by the pods' names. */
function readyAddresses(slices: readonly V1EndpointSlice[]): Map<string, Address> {
  const addresses = new Map<string, Address>();
  for (const { endpoints, ports } of slices) {
    const port = ports?.find(({ name }) => name === "http")?.port ?? POD_PORT;
    for (const endpoint of endpoints ?? []) {
      const [host] = endpoint.addresses;
      const name = readyPodOf(endpoint);
      if (name !== null && host !== undefined) addresses.set(name, { host, port });
    }
  }
  return addresses;
}

function readyPodOf({ conditions, targetRef }: V1Endpoint): string | null {
  const isReady = conditions?.ready !== false && !conditions?.terminating;
  return isReady && targetRef?.kind === "Pod" ? (targetRef.name ?? null) : null;
}

/** Returns whether an address in a slice is the pod's own. The server never calls another one. */
function isAddressOf({ status }: ClusterObject<"Pod">, { host }: Address): boolean {
  return status?.podIP === host || (status?.podIPs ?? []).some(({ ip }) => ip === host);
}

function findState(pod: ClusterObject<"Pod">, events: readonly ClusterEvent[]): State {
  const { status } = pod;
  const unschedulable = status?.conditions?.find(({ type, status: is }) => type === "PodScheduled" && is === "False");
  if (unschedulable) return { state: "starting", reason: describeUnschedulable(unschedulable.message) };
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const container of statuses) {
    const state = findContainerState(container, pod);
    if (state) return state;
  }
  return { state: "starting", reason: describeEvents(pod.metadata.name, events) };
}

/**
 * Returns the state of a pod that follows from a container that cannot start or has failed; null if the container has done
 * neither.
 */
function findContainerState(
  { name, image, state, lastState }: V1ContainerStatus,
  pod: ClusterObject<"Pod">,
): State | null {
  const { waiting, terminated } = state ?? {};
  const reason = waiting?.reason ?? "";
  if (IMAGE_PROBLEMS.has(reason)) return { state: "failed", reason: describeImage(image, reason, waiting?.message) };
  if (CONFIG_PROBLEMS.has(reason))
    return { state: "failed", reason: shorten(`The container cannot be started: ${waiting?.message ?? reason}`) };
  const end = terminated ?? lastState?.terminated;
  if (!end || end.exitCode === 0) return null;
  const description = describeEnd(end, name, pod);
  return { state: reason === "CrashLoopBackOff" ? "failed" : "starting", reason: description };
}

/** Returns why and when (in milliseconds since 1970) a container failed; null if none has failed. */
export function findEnd(pod: ClusterObject<"Pod">): { reason: string; endedAt: number } | null {
  const { status, metadata } = pod;
  for (const { name, state, lastState } of [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]) {
    // A container that exits while its pod is being deleted was stopped on purpose.
    const end = lastState?.terminated ?? (metadata.deletionTimestamp ? undefined : state?.terminated);
    if (end && end.exitCode !== 0)
      return { reason: describeEnd(end, name, pod), endedAt: new Date(end.finishedAt ?? 0).getTime() };
  }
  return null;
}

function describeUnschedulable(message: string | undefined): string {
  // The rest of the message lists other pods that could be evicted.
  const [facts = ""] = (message ?? "").split(". ");
  return shorten(`No node has room for it: ${facts.replace(/\.$/, "") || "the cluster does not say why"}.`);
}

function describeImage(image: string, reason: string, message: string | undefined): string {
  if (reason === "ErrImageNeverPull") return `The image ${image} is not on the node, and must not be pulled there.`;
  if (reason === "InvalidImageName") return `${image} is not the name of an image.`;
  const cause = message?.replace(/^Back-off pulling image "[^"]*":? ?/, "") || "the registry does not say why.";
  return shorten(`The image ${image} cannot be pulled: ${cause}`);
}

type End = NonNullable<NonNullable<V1ContainerStatus["state"]>["terminated"]>;

function describeEnd({ reason, exitCode, message }: End, container: string, pod: ClusterObject<"Pod">): string {
  const limit = pod.spec?.containers.find(({ name }) => name === container)?.resources?.limits?.memory;
  if (reason === "OOMKilled")
    return `It needed more memory than it may have${limit ? ` (${limit})` : ""}, and was ended.`;
  const words = lastWordsOf(message ?? "");
  const what =
    container === MODEL_CONTAINER ? "The program that runs the model ended" : "The model could not be downloaded";
  return shorten(`${what} (exit status ${exitCode})${words ? `: ${words}` : "."}`);
}

function lastWordsOf(text: string): string {
  const log = createVllmLog();
  for (const line of text.split("\n")) log.add(line);
  return log.lastWords();
}

/** Returns the cluster's newest warning that explains why a pod does not start; null if there is none. */
function describeEvents(podName: string, events: readonly ClusterEvent[]): string | null {
  const warning = events.findLast(
    ({ type, reason, involvedObject }) =>
      type === "Warning" && involvedObject?.name === podName && TELLING_EVENTS.has(reason ?? ""),
  );
  return warning ? shorten(`${warning.reason}: ${warning.message ?? ""}`) : null;
}

function shorten(text: string): string {
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1)}…` : text;
}
