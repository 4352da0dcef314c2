import { z } from "zod";
import { fromJson, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

const PROVIDERS = ["aws", "azure", "gcp"] as const;
const KINDS = ["off", "test", ...PROVIDERS] as const;
const MAX_GRACE_HOURS = 720;

const splitList = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Validates a list in one text, separated by commas. */
const list = <S extends z.ZodType<string, string>>(item: S) =>
  z.string().transform(splitList).pipe(z.array(item).min(1));

function isServiceAccountKey(text: string): boolean {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === "object" && key !== null && "type" in key && key.type === "service_account";
  } catch {
    return false;
  }
}

/** Where plans are sold besides this server. */
export const marketplaceSettings = {
  marketplaces: {
    env: "FEATHER_MARKETPLACES",
    doc: "Cloud marketplaces at which plans are bought, separated by commas: aws, azure, gcp. Or off, or test with made-up tokens, which is refused where other machines can reach the server. By default test where only this machine can, otherwise off. See /docs/marketplaces.",
    schema: list(z.enum(KINDS, `must be off, test, or of these, separated by commas: ${PROVIDERS.join(", ")}`))
      .refine((kinds) => kinds.length === 1 || !kinds.some((kind) => kind === "off" || kind === "test"), {
        message: "off and test stand alone",
      })
      .optional(),
    default: undefined,
    defaultByExposure: true,
    editable: true,
  },
  plans: {
    env: "FEATHER_MARKETPLACE_PLANS",
    doc: 'Which plan is given for what is sold at marketplaces, as JSON: {"<dimension or plan at the marketplace>": "<plan>"}. What is not listed must have the id of its plan.',
    schema: fromJson(z.record(z.string(), z.string())),
    default: "{}",
    editable: true,
  },
  graceHours: {
    env: "FEATHER_MARKETPLACE_GRACE_HOURS",
    doc: "How long a plan lasts after its purchase has ended at the marketplace, in hours.",
    schema: z.coerce.number().min(0).max(MAX_GRACE_HOURS),
    default: "24",
    editable: true,
  },
  awsProducts: {
    env: "FEATHER_AWS_MARKETPLACE_PRODUCTS",
    doc: "The product codes of the products at AWS Marketplace that sell plans, separated by commas.",
    schema: list(z.string().regex(/^[a-z0-9]{1,64}$/, "must be product codes")).optional(),
    default: undefined,
    editable: true,
  },
  awsTopics: {
    env: "FEATHER_AWS_MARKETPLACE_TOPICS",
    doc: "The ARNs of the Amazon SNS topics whose messages are taken at /api/cloud-marketplace/aws/notifications, separated by commas.",
    schema: list(
      z.string().regex(/^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/, "must be ARNs of Amazon SNS topics"),
    ).optional(),
    default: undefined,
    editable: true,
  },
  awsAccessKeyId: {
    env: "FEATHER_AWS_MARKETPLACE_ACCESS_KEY_ID",
    doc: "Id of the access key of the seller's AWS account. Without one, the AWS SDK finds the credentials as usual, such as the role of the machine.",
    schema: z.string().min(1).optional(),
    default: undefined,
    editable: true,
  },
  awsSecretAccessKey: {
    env: "FEATHER_AWS_MARKETPLACE_SECRET_ACCESS_KEY",
    doc: "The secret of that access key.",
    schema: z.string().min(1).optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  awsApiBase: {
    env: "FEATHER_AWS_MARKETPLACE_API_BASE",
    doc: "Address of a stand-in for AWS, for tests; by default AWS.",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    default: undefined,
  },
  azureOffers: {
    env: "FEATHER_AZURE_MARKETPLACE_OFFERS",
    doc: "The ids of the offers at Azure Marketplace that sell plans, separated by commas.",
    schema: list(z.string().regex(/^[a-z0-9_-]{1,50}$/, "must be ids of offers")).optional(),
    default: undefined,
    editable: true,
  },
  azureTenantId: {
    env: "FEATHER_AZURE_MARKETPLACE_TENANT_ID",
    doc: "Id of the tenant of Microsoft Entra in the technical configuration of the offers.",
    schema: z.guid().optional(),
    default: undefined,
    editable: true,
  },
  azureClientId: {
    env: "FEATHER_AZURE_MARKETPLACE_CLIENT_ID",
    doc: "Id of the application of Microsoft Entra in the technical configuration of the offers.",
    schema: z.guid().optional(),
    default: undefined,
    editable: true,
  },
  azureClientSecret: {
    env: "FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET",
    doc: "A secret of that application.",
    schema: z.string().min(1).optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  azureApiBase: {
    env: "FEATHER_AZURE_MARKETPLACE_API_BASE",
    doc: "Address of a stand-in for Azure, for tests; by default Azure.",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    default: undefined,
  },
  gcpProviderId: {
    env: "FEATHER_GCP_MARKETPLACE_PROVIDER_ID",
    doc: "Id of the seller in the Procurement API of Google Cloud Marketplace.",
    schema: z.string().min(1).max(255).optional(),
    default: undefined,
    editable: true,
  },
  gcpProducts: {
    env: "FEATHER_GCP_MARKETPLACE_PRODUCTS",
    doc: "The names of the products at Google Cloud Marketplace that sell plans, separated by commas.",
    schema: list(z.string().regex(/^[\w.-]{1,255}$/, "must be names of products")).optional(),
    default: undefined,
    editable: true,
  },
  gcpDomain: {
    env: "FEATHER_GCP_MARKETPLACE_DOMAIN",
    doc: "The domain for which Google signs the tokens of buyers: that of the sign-up URL in Producer Portal.",
    schema: z.string().min(1).max(255).optional(),
    default: undefined,
    editable: true,
  },
  gcpKey: {
    env: "FEATHER_GCP_MARKETPLACE_KEY",
    doc: "The key of a service account that may use the Procurement API, as JSON.",
    schema: z.string().refine(isServiceAccountKey, "must be the JSON of a service account's key").optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  gcpPushAccount: {
    env: "FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT",
    doc: "The e-mail address of the service account with which Pub/Sub signs what it pushes to /api/cloud-marketplace/gcp/notifications.",
    schema: z.email().optional(),
    default: undefined,
    editable: true,
  },
  gcpApiBase: {
    env: "FEATHER_GCP_MARKETPLACE_API_BASE",
    doc: "Address of a stand-in for Google Cloud, for tests; by default Google Cloud.",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    default: undefined,
  },
} as const satisfies SettingDeclarations;

/** The settings of marketplaces. */
export type MarketplaceSettings = SettingsOf<typeof marketplaceSettings>;

/** Returns whether plans can be bought at marketplaces, and whether these are real. */
export function marketplaceModeOf({ marketplaces }: Pick<MarketplaceSettings, "marketplaces">): "off" | "test" | "on" {
  if (marketplaces.includes("off")) return "off";
  return marketplaces.includes("test") ? "test" : "on";
}

/** Returns the marketplaces at which usage can be metered, and whether they are tests. */
export function meteredMarketplacesOf({ marketplaces }: Pick<MarketplaceSettings, "marketplaces">) {
  const isTest = marketplaces.includes("test");
  return { providers: PROVIDERS.filter((provider) => isTest || marketplaces.includes(provider)), isTest };
}

/** The settings that each marketplace needs, by name. */
const NEEDED = {
  aws: ["awsProducts", "awsTopics"],
  azure: ["azureOffers", "azureTenantId", "azureClientId", "azureClientSecret"],
  gcp: ["gcpProviderId", "gcpProducts", "gcpDomain", "gcpKey", "gcpPushAccount"],
} as const satisfies Record<(typeof PROVIDERS)[number], readonly (keyof typeof marketplaceSettings)[]>;

/** Returns what is missing or contradictory where plans are sold at marketplaces, for the operator. */
export function findMarketplaceProblems(settings: Partial<MarketplaceSettings>): string[] {
  const { marketplaces = [], awsAccessKeyId, awsSecretAccessKey } = settings;
  const problems = PROVIDERS.filter((provider) => marketplaces.includes(provider)).flatMap((provider) =>
    NEEDED[provider]
      .filter((name) => settings[name] === undefined)
      .map(
        (name) => `FEATHER_MARKETPLACES: ${provider} needs ${marketplaceSettings[name].env}; see /docs/marketplaces.`,
      ),
  );
  if ((awsAccessKeyId === undefined) !== (awsSecretAccessKey === undefined))
    problems.push(
      "FEATHER_AWS_MARKETPLACE_ACCESS_KEY_ID and FEATHER_AWS_MARKETPLACE_SECRET_ACCESS_KEY go together: set both or neither.",
    );
  return problems;
}
