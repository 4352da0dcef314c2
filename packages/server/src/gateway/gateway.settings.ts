import { z } from "zod";
import { onOff, type SettingDeclarations, type SettingsOf, seconds } from "../platform/core/settings.ts";

/** Settings of the time limits and features of model calls. */
export const gatewaySettings = {
  firstByteTimeoutSeconds: {
    env: "FEATHER_FIRST_BYTE_TIMEOUT",
    doc: "Seconds to wait for a backend's first byte.",
    schema: seconds,
    default: "120",
    editable: true,
  },
  streamIdleTimeoutSeconds: {
    env: "FEATHER_STREAM_IDLE_TIMEOUT",
    doc: "Seconds of silence in mid-stream after which the stream fails.",
    schema: seconds,
    default: "60",
    editable: true,
  },
  streamKeepAliveSeconds: {
    env: "FEATHER_STREAM_KEEP_ALIVE",
    doc: "Seconds of silence after which a stream sends a comment, so that proxies on the way keep it open.",
    schema: seconds,
    default: "15",
    editable: true,
  },
  stalledTimeoutSeconds: {
    env: "FEATHER_STALLED_TIMEOUT",
    doc: "Seconds after which a caller who does not read the answer is cut off.",
    schema: seconds,
    default: "120",
    editable: true,
  },
  resumableKeepSeconds: {
    env: "FEATHER_RESUMABLE_KEEP",
    doc: "Seconds for which a resumable stream can be read after its end.",
    schema: seconds,
    default: "600",
    editable: true,
  },
  resumableMemoryMib: {
    env: "FEATHER_RESUMABLE_MEMORY",
    doc: "MiB of memory that all resumable streams of a process may keep; ended ones give way first.",
    schema: z.coerce.number().int().min(1).max(65_536),
    default: "256",
    editable: true,
  },
  coldStatus: {
    env: "FEATHER_COLD_STATUS",
    doc: "Status for calls to a model that has to be loaded first: 503, or 400 for clients that expect that.",
    schema: z.enum(["400", "503"]).transform((value) => (value === "400" ? 400 : 503)),
    default: "503",
    editable: true,
  },
  coldWaitSeconds: {
    env: "FEATHER_COLD_WAIT",
    doc: "Seconds that a call waits for a model that is loading, where x-wait-for-model does not say how long; longer loads are answered at once. 0 never waits.",
    schema: z.coerce.number().int().min(0).max(600),
    default: "10",
    editable: true,
  },
  callsElsewhere: {
    env: "FEATHER_CALLS_ELSEWHERE",
    doc: "Whether calls may go to providers and other public addresses: on or off. It holds for organizations that have not decided it for themselves.",
    schema: onOff,
    default: "on",
    editable: true,
  },
  remoteMedia: {
    env: "FEATHER_REMOTE_MEDIA",
    doc: "Whether calls may name pictures and other media by address, which the backend then fetches: off takes only data URLs; https lets public https addresses through. Limit what backends may reach too (vLLM: --allowed-media-domains).",
    schema: z.enum(["off", "https"]),
    default: "off",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of model calls. */
export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
