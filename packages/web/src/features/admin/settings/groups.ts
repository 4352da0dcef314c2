import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Settings that belong together, with those that admins can save before those that they cannot. */
export type SettingGroup = {
  id: string;
  title: string;
  editable: readonly ServerSetting[];
  fixed: readonly ServerSetting[];
};

const TITLES: Readonly<Record<string, string>> = {
  site: t`Name, contact and analytics`,
  mail: t`Mail`,
  registration: t`Registration`,
  signInProviders: t`Sign-in providers`,
  identity: t`Admins and second factors`,
  applications: t`Applications`,
  conversations: t`Chats on the server`,
  billing: t`Payments and invoices`,
  marketplace: t`Marketplaces`,
  referrals: t`Referrals`,
  gateway: t`Calls to models`,
  backends: t`Backends`,
  probes: t`Probes of backends`,
  modelHost: t`Models on this machine`,
  starter: t`First model`,
  store: t`Requests for models`,
  hub: t`Hub`,
  engine: t`Engines`,
  kubernetes: t`Kubernetes`,
  usage: t`Usage`,
  operations: t`Logs and metrics`,
  telemetry: t`Telemetry`,
  server: t`Address and processes`,
  storage: t`Database`,
  installation: t`Secret of the server`,
};

/** Returns the settings by groups, in the order in which people look for them. Groups of later servers come last. */
export function toGroups(settings: readonly ServerSetting[]): SettingGroup[] {
  const known = Object.keys(TITLES);
  const others = settings.map(({ group }) => group).filter((group) => !known.includes(group));
  return [...known, ...new Set(others)].flatMap((id) => {
    const own = settings.filter(({ group }) => group === id);
    if (own.length === 0) return [];
    const isEditable = ({ is_editable }: ServerSetting) => is_editable;
    return {
      id,
      title: TITLES[id] ?? id,
      editable: own.filter(isEditable),
      fixed: own.filter((setting) => !isEditable(setting)),
    };
  });
}

const UPPER_CASE = new Set(["api", "aws", "gcp", "gpu", "id", "sglang", "smtp", "url", "vies", "vllm"]);

/** Returns a label from the name of a setting, such as “Product name” from `FEATHER_PRODUCT_NAME`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/^FEATHER_/, "")
    .toLowerCase()
    .split("_")
    .map((word) => (UPPER_CASE.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
