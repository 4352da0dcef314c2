import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import type { z } from "zod";
import { applicationSettings } from "../accounts/applications/applications.settings.ts";
import { identitySettings } from "../accounts/identity/identity.settings.ts";
import { registrationSettings } from "../accounts/registration/registration.settings.ts";
import { signInProviderSettings } from "../accounts/sign-in-providers/sign-in-providers.settings.ts";
import { probeSettings } from "../catalogue/probes/probes.settings.ts";
import { toolSettings } from "../catalogue/tool-servers/tools.settings.ts";
import { collectionSettings } from "../chats/collections/collections.settings.ts";
import { conversationSettings } from "../chats/conversations/conversations.settings.ts";
import { documentSettings } from "../chats/documents/documents.settings.ts";
import { backendSettings } from "../gateway/backends/backends.settings.ts";
import { gatewaySettings } from "../gateway/gateway.settings.ts";
import { kubernetesSettings } from "../hosting/deployments/kubernetes/kubernetes.settings.ts";
import { modelHostSettings } from "../hosting/hosts/model-host.settings.ts";
import { hubSettings } from "../hosting/hub/hub.settings.ts";
import { engineSettings } from "../hosting/runtimes/engine.settings.ts";
import { starterSettings } from "../hosting/starter/starter.settings.ts";
import { storeSettings } from "../hosting/store/store.settings.ts";
import { operationsSettings } from "../insight/operations/operations.settings.ts";
import { telemetrySettings } from "../insight/operations/telemetry/telemetry.settings.ts";
import { usageSettings } from "../insight/usage/usage.settings.ts";
import {
  billingSettings,
  findEInvoiceProblems,
  findPaymentModuleProblems,
  findPortalProblems,
  findStripeProblems,
  findTaxProblems,
  findViesProblems,
} from "../money/billing/billing.settings.ts";
import { findMarketplaceProblems, marketplaceSettings } from "../money/marketplace/marketplace.settings.ts";
import { referralSettings } from "../money/referrals/referrals.settings.ts";
import {
  type SettingDeclaration,
  type SettingDeclarations,
  SettingsError,
  type SettingsOf,
} from "../platform/core/settings.ts";
import { installationSettings } from "../platform/installation/installation.settings.ts";
import { mailSettings } from "../platform/mail/mail.settings.ts";
import { describeIssue } from "./describe-issue.ts";
import { defaultsByExposure, isExposed } from "./exposure.ts";
import { serverSettings } from "./server.settings.ts";
import { describeUnknownVariables, suggestName } from "./setting-names.ts";
import { siteSettings } from "./site.settings.ts";
import { storageSettings } from "./storage.settings.ts";

/** The declarations of all settings by group, in the order of the documentation. */
export const SETTINGS = {
  server: serverSettings,
  storage: storageSettings,
  installation: installationSettings,
  site: siteSettings,
  identity: identitySettings,
  mail: mailSettings,
  signInProviders: signInProviderSettings,
  registration: registrationSettings,
  applications: applicationSettings,
  conversations: conversationSettings,
  documents: documentSettings,
  collections: collectionSettings,
  backends: backendSettings,
  gateway: gatewaySettings,
  probes: probeSettings,
  tools: toolSettings,
  usage: usageSettings,
  hub: hubSettings,
  modelHost: modelHostSettings,
  store: storeSettings,
  starter: starterSettings,
  engine: engineSettings,
  kubernetes: kubernetesSettings,
  billing: billingSettings,
  marketplace: marketplaceSettings,
  referrals: referralSettings,
  operations: operationsSettings,
  telemetry: telemetrySettings,
} as const satisfies Record<string, SettingDeclarations>;

/** The validated settings by group. A module receives its group. */
export type Settings = { readonly [G in keyof typeof SETTINGS]: SettingsOf<(typeof SETTINGS)[G]> };

/** A declaration with the group and the name by which the setting is read: `settings[group][name]`. */
export type ListedSetting = SettingDeclaration & { group: keyof Settings; name: string };

/** Returns all declarations in the order of the documentation. */
export function listSettings(): ListedSetting[] {
  return Object.entries<SettingDeclarations>(SETTINGS).flatMap(([group, declarations]) =>
    Object.entries(declarations).map(([name, declaration]) => ({
      ...declaration,
      group: group as keyof Settings,
      name,
    })),
  );
}

/** The settings before the defaults that depend on exposure. Invalid values are left out. */
type ReadSettings = { readonly [G in keyof Settings]: Partial<Settings[G]> };
/** Defaults that depend on exposure, by group. */
type ExposureDefaults = { readonly [G in keyof Settings]?: Partial<Settings[G]> };
/** Values of `feather.config.yaml` by variable. */
type ConfigFile = Readonly<Record<string, unknown>>;
/** Values that admins saved, by variable. */
export type SavedValues = ReadonlyMap<string, string>;
/** Where values come from. The first that has one wins. */
type Sources = { env: Record<string, string | undefined>; file: ConfigFile; saved: SavedValues };

/** Returns where the value of a setting comes from. */
export type SourceOf = (name: string) => "environment" | "file" | "saved" | "default";

/** Returns a function that says where the value of a setting comes from. Throws a SettingsError for a file that cannot be read. */
export function traceSettings(env: Sources["env"], folder: string, saved: SavedValues): SourceOf {
  const sources = { env, file: readConfigFile(resolve(folder, "feather.config.yaml")), saved };
  const declarations = new Map(listSettings().map((setting) => [setting.env, setting]));
  return (name) => {
    const declaration = declarations.get(name);
    return declaration === undefined ? "default" : findValue(declaration, sources).source;
  };
}

/**
 * Reads the settings from the environment, then `feather.config.yaml`, then what admins saved, then defaults. Throws a
 * SettingsError that lists all problems.
 */
export function readSettings(env: Sources["env"], folder: string, saved: SavedValues = new Map()): Settings {
  return readAll(env, folder, saved, findContradictions);
}

/**
 * Reads the settings that are needed before the database is open, which holds what admins saved. Throws a SettingsError for
 * values that are not valid. That they contradict each other is left to `readSettings`, since saved ones may be missing.
 */
export function readStartSettings(env: Sources["env"], folder: string): Settings {
  return readAll(env, folder, new Map(), () => []);
}

function readAll(
  env: Sources["env"],
  folder: string,
  saved: SavedValues,
  check: (settings: ReadSettings, exposed: boolean) => string[],
): Settings {
  const file = readConfigFile(resolve(folder, "feather.config.yaml"));
  const names = listSettings().map((setting) => setting.env);
  const problems: string[] = Object.keys(file)
    .filter((key) => !names.includes(key))
    .map((key) => `feather.config.yaml: ${key} is not a setting.${suggestName(key, names)}`);
  problems.push(...describeUnknownVariables(env, names));
  const settings = Object.fromEntries(
    Object.entries<SettingDeclarations>(SETTINGS).map(([group, declarations]) => [
      group,
      readGroup(declarations, { env, file, saved }, problems),
    ]),
  ) as ReadSettings;
  const { host, publicUrl } = settings.server;
  const exposed = host !== undefined && isExposed(host, publicUrl);
  problems.push(...check(settings, exposed));
  if (problems.length > 0)
    throw new SettingsError(
      `The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
      problems,
    );
  return withExposureDefaults(settings, defaultsByExposure(exposed));
}

/** Returns the valid values of a group by name, without settings that are not set. Appends errors to `problems`. */
function readGroup(declarations: SettingDeclarations, sources: Sources, problems: string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const { env: variable, schema } = declaration;
    const parsed = schema.safeParse(findValue(declaration, sources).value, { error: describeIssue });
    if (!parsed.success)
      problems.push(
        ...withoutIntegerRange(parsed.error.issues).map(
          ({ path, message }) => `${[variable, ...path].join(".")}: ${message}`,
        ),
      );
    else if (parsed.data !== undefined) values[name] = parsed.data;
  }
  return values;
}

/** Returns the issues without that of numbers beyond all integers, which other limits of the same value refuse too. */
function withoutIntegerRange(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const isRange = (issue: z.core.$ZodIssue) =>
    (issue.code === "too_big" || issue.code === "too_small") && issue.origin === "int";
  return issues.length > 1 ? issues.filter((issue) => !isRange(issue)) : issues;
}

function findValue(
  { env: variable, default: fallback, editable }: SettingDeclaration,
  { env, file, saved }: Sources,
): { source: ReturnType<SourceOf>; value: unknown } {
  if (env[variable] !== undefined && env[variable] !== "") return { source: "environment", value: env[variable] };
  const inFile = file[variable];
  if (inFile !== undefined && inFile !== null) return { source: "file", value: inFile };
  const savedValue = editable === true ? saved.get(variable) : undefined;
  if (savedValue !== undefined) return { source: "saved", value: savedValue };
  return { source: "default", value: fallback };
}

/** Returns errors about settings that are valid but contradict each other. */
function findContradictions(
  { server, storage, identity, billing, marketplace, modelHost, kubernetes }: ReadSettings,
  exposed: boolean,
): string[] {
  const problems: string[] = [];
  if (storage.databaseOwnerUrl !== undefined && storage.databaseUrl === undefined)
    problems.push("DATABASE_OWNER_URL needs DATABASE_URL; the embedded database has an owner and a role of its own.");
  if (storage.databaseDirectUrl !== undefined && storage.databaseUrl === undefined)
    problems.push("DATABASE_DIRECT_URL needs DATABASE_URL: it names the same database without a pooler.");
  if (storage.databaseDirectUrl !== undefined && storage.databaseOwnerUrl !== undefined)
    problems.push("DATABASE_OWNER_URL is used for what needs a direct connection: leave DATABASE_DIRECT_URL out.");
  if (server.role === "gateway" && (storage.databaseUrl === undefined || server.replicaAddress === undefined))
    problems.push(
      "FEATHER_ROLE: gateway needs DATABASE_URL and FEATHER_REPLICA_ADDRESS: other servers do everything else on the same database.",
    );
  if (modelHost.place === "kubernetes") problems.push(...findMissingCluster(kubernetes));
  if ((identity.adminEmail === undefined) !== (identity.adminPassword === undefined))
    problems.push("FEATHER_ADMIN_EMAIL and FEATHER_ADMIN_PASSWORD go together: set both or neither.");
  if (server.cookieDomain !== undefined && !isInDomain(server.publicUrl, server.cookieDomain))
    problems.push("FEATHER_COOKIE_DOMAIN must be the host of FEATHER_PUBLIC_URL, or a parent of it.");
  problems.push(
    ...findStripeProblems(billing),
    ...findPaymentModuleProblems(billing),
    ...findEInvoiceProblems(billing),
    ...findViesProblems(billing),
    ...findTaxProblems(billing),
    ...findPortalProblems(billing),
  );
  problems.push(...findMarketplaceProblems(marketplace));
  if (exposed && billing.payments === "test") problems.push(describeExposedTest("FEATHER_PAYMENTS"));
  if (exposed && marketplace.marketplaces?.includes("test")) problems.push(describeExposedTest("FEATHER_MARKETPLACES"));
  return problems;
}

/** Returns the missing settings of a server whose models run in a cluster. */
function findMissingCluster({ connection, engineImage }: ReadSettings["kubernetes"]): string[] {
  return [
    ...(connection === "off" ? ["FEATHER_MODEL_HOST: kubernetes needs a cluster: set FEATHER_KUBERNETES."] : []),
    ...(engineImage === undefined
      ? ["FEATHER_MODEL_HOST: kubernetes needs FEATHER_KUBERNETES_ENGINE_IMAGE, which runs GGUF files in pods."]
      : []),
  ];
}

function describeExposedTest(variable: string): string {
  return (
    `${variable}: test gives plans and credits to everybody who can reach the server. It needs FEATHER_HOST on ` +
    "loopback and FEATHER_PUBLIC_URL on this machine, or leave it out."
  );
}

/** Returns whether the host of a URL is this domain or a subdomain of it. */
function isInDomain(address: string | undefined, domain: string): boolean {
  if (address === undefined) return false;
  const { hostname } = new URL(address);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function withExposureDefaults(settings: ReadSettings, defaults: ExposureDefaults): Settings {
  return Object.fromEntries(
    Object.entries<object>(settings).map(([group, values]) => [
      group,
      { ...defaults[group as keyof Settings], ...values },
    ]),
  ) as Settings;
}

function readConfigFile(path: string): ConfigFile {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = parseYaml(readFileSync(path, "utf8"));
    if (value === null) return {};
    if (typeof value === "object" && !Array.isArray(value)) return value as ConfigFile;
    throw new Error("it must hold names and values.");
  } catch (error) {
    throw new SettingsError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
