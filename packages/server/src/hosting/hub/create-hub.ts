import { createOutgoing } from "../../platform/core/network/outgoing.ts";
import { createFolderHub } from "./folder-hub.ts";
import type { HubSettings } from "./hub.settings.ts";
import type { Hub } from "./hub.ts";
import { createHuggingFace } from "./hugging-face.ts";
import type { ReadCard } from "./read-card.ts";

type HubAddress = Pick<HubSettings, "dir" | "url">;

/**
 * Creates the configured model hub. Its address may be private, since the operator chose it. Redirects are checked against
 * `outgoingAllow`, like any other address.
 */
export function createHub({ dir, url }: HubAddress, outgoingAllow: readonly string[], readCard: ReadCard): Hub {
  if (dir !== undefined) return createFolderHub({ root: dir, readCard });
  const { hostname, port, protocol } = new URL(url);
  const own = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  const outgoing = createOutgoing({ allow: [own, ...outgoingAllow] });
  return createHuggingFace({ baseUrl: url, outgoing, readCard });
}
