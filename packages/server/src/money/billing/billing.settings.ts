import { z } from "zod";
import { isInEu } from "../../platform/core/eu-countries.ts";
import {
  fromJson,
  httpUrl,
  onOff,
  percent,
  type SettingDeclarations,
  type SettingsOf,
} from "../../platform/core/settings.ts";
import { parseVatId } from "../taxes/index.ts";

/** Who issues invoices. */
const seller = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    /** Lines of an address, without the country. */
    address: z.string().trim().min(1).max(500),
    postal_code: z.string().trim().min(1).max(20).optional(),
    city: z.string().trim().min(1).max(100).optional(),
    country: z.string().regex(/^[A-Z]{2}$/, "must be a code of two capital letters, such as DE"),
    vat_id: z.string().optional(),
    /** The currency in which taxes are declared. Invoices in others say the tax in it too. */
    tax_currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be a code of three capital letters, such as EUR")
      .optional(),
    /** Who answers questions about invoices. */
    contact: z
      .strictObject({
        name: z.string().trim().min(1).max(100),
        phone: z.string().regex(/^[+\d][\d ()/.-]{2,30}$/, "must be a telephone number"),
        email: z.email(),
      })
      .optional(),
  })
  .transform((value, context) => {
    if (value.vat_id === undefined) return value;
    const parsed = parseVatId(value.vat_id, value.country);
    if ("vatId" in parsed) return { ...value, vat_id: parsed.vatId };
    context.addIssue({ code: "custom", path: ["vat_id"], message: parsed.problem });
    return z.NEVER;
  });

const MAX_RETRY_DAYS = 60;
const WORD = "[A-Za-z0-9_]+";

/** How plans and credits are sold. */
export const billingSettings = {
  payments: {
    env: "FEATHER_PAYMENTS",
    doc: "How plans and credits are paid for: off sells nothing; test takes test cards, moves no money, and is refused where other machines can reach the server; module is paid through the driver of FEATHER_PAYMENT_MODULE, which the environment or the settings file must set; stripe is paid through Stripe and needs STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PUBLISHABLE_KEY. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test", "stripe", "module"]).optional(),
    default: undefined,
    defaultByExposure: true,
    editable: true,
    optionsNeed: { module: "FEATHER_PAYMENT_MODULE" },
  },
  paymentModule: {
    env: "FEATHER_PAYMENT_MODULE",
    doc: "Your own payment driver: the absolute path of a .js or .mjs file, or the name of a package that is installed beside the server. It runs in the server, with all its rights.",
    schema: z
      .string()
      .regex(
        /^(\/.+\.m?js|(@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*)$/,
        "must be an absolute path that ends in .js or .mjs, or the name of a package",
      )
      .optional(),
    default: undefined,
  },
  stripeSecretKey: {
    env: "STRIPE_SECRET_KEY",
    doc: "The secret key of the Stripe account; a restricted key is enough. A key of Stripe's test mode moves no money.",
    schema: z
      .string()
      .regex(new RegExp(`^(sk|rk)_(test|live)_${WORD}$`), "must begin with sk_test_, sk_live_, rk_test_ or rk_live_")
      .optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  stripeWebhookSecret: {
    env: "STRIPE_WEBHOOK_SECRET",
    doc: "The signing secret of the webhook endpoint at Stripe that points to /api/payments/stripe/webhook.",
    schema: z
      .string()
      .regex(new RegExp(`^whsec_${WORD}$`), "must begin with whsec_")
      .optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  stripePublishableKey: {
    env: "STRIPE_PUBLISHABLE_KEY",
    doc: "The publishable key of the same account and mode, which browsers use for the card form.",
    schema: z
      .string()
      .regex(new RegExp(`^pk_(test|live)_${WORD}$`), "must begin with pk_test_ or pk_live_")
      .optional(),
    default: undefined,
    secret: false,
    editable: true,
  },
  stripePortal: {
    env: "STRIPE_PORTAL",
    doc: "Whether organizations can also change their cards and addresses in Stripe's customer portal, which is set up at Stripe, under Settings > Billing > Customer portal. Needs FEATHER_PAYMENTS=stripe, and more events of the webhook endpoint: see /docs/payments.",
    schema: onOff,
    default: "off",
    editable: true,
  },
  stripePortalConfiguration: {
    env: "STRIPE_PORTAL_CONFIGURATION",
    doc: "The id of the configuration of Stripe's customer portal that is used, such as bpc_1Qx; by default the one that is saved at Stripe.",
    schema: z
      .string()
      .regex(new RegExp(`^bpc_${WORD}$`), "must begin with bpc_")
      .optional(),
    default: undefined,
    editable: true,
  },
  stripeApiBase: {
    env: "STRIPE_API_BASE",
    doc: "Address of a stand-in for Stripe's API, for tests; by default https://api.stripe.com.",
    schema: httpUrl.optional(),
    default: undefined,
  },
  trials: {
    env: "FEATHER_TRIALS",
    doc: "Whether plans may be tried; how long, each plan says.",
    schema: onOff,
    default: "on",
    editable: true,
  },
  retryDays: {
    env: "FEATHER_DUNNING_DAYS",
    doc: "Days after an invoice on which a card that was declined is charged again, ascending and by comma. After the last attempt the plan ends. none: it ends after the first one.",
    schema: z
      .string()
      .regex(/^(none|\d{1,2}(,\d{1,2}){0,9})$/, "must be none, or at most ten numbers of days, such as 1,3,5,7")
      .transform((text) => (text === "none" ? [] : text.split(",").map(Number)))
      .refine(isAscending, "must ascend from 1 to at most 60 days"),
    default: "1,3,5,7",
    editable: true,
  },
  taxPercent: {
    env: "FEATHER_TAX_PERCENT",
    doc: "Tax that is added to prices, in percent; not where FEATHER_SELLER and the buyer have VAT ids of different countries of the EU, since the buyer owes it then.",
    schema: percent,
    default: "0",
    editable: true,
  },
  tax: {
    env: "FEATHER_TAX",
    doc: "Where the tax on prices comes from: percent is FEATHER_TAX_PERCENT; stripe has Stripe Tax calculate it for each purchase from the billing address and VAT id of the buyer, and reports it there once it is paid. Needs FEATHER_PAYMENTS=stripe.",
    schema: z.enum(["percent", "stripe"]),
    default: "percent",
    editable: true,
  },
  stripeTaxCode: {
    env: "STRIPE_TAX_CODE",
    doc: "Stripe's tax code of what is sold, such as txcd_10103001; by default the one that is set at Stripe, under Tax > Settings.",
    schema: z
      .string()
      .regex(/^txcd_\d{8}$/, "must be txcd_ and eight digits, such as txcd_10103001")
      .optional(),
    default: undefined,
    editable: true,
  },
  seller: {
    env: "FEATHER_SELLER",
    doc: 'Who issues invoices, as JSON: {"name","address" (its lines, separated by \\n),"postal_code","city","country" (a code of two letters, such as DE),"vat_id","tax_currency" (in which you declare taxes, such as EUR),"contact":{"name","phone","email"}}; postal code, city and contact are for XRechnung. Each invoice keeps what was set when it was issued; without it invoices name the product alone.',
    schema: fromJson(seller.optional()),
    default: undefined,
    editable: true,
  },
  vies: {
    env: "FEATHER_VIES",
    doc: "Whether VIES is asked if VAT ids of other EU countries are valid, with the vat_id of FEATHER_SELLER as the requester. No tax is then added only where VIES said so.",
    schema: onOff,
    default: "off",
    editable: true,
  },
  viesUrl: {
    env: "FEATHER_VIES_URL",
    doc: "Address of the REST API of VIES, for tests with a stand-in.",
    schema: httpUrl,
    default: "https://ec.europa.eu/taxation_customs/vies/rest-api",
  },
  eInvoices: {
    env: "FEATHER_E_INVOICES",
    doc: "Whether invoices are data for programs too, by EN 16931: off; factur-x in their PDF (also known as ZUGFeRD, profile BASIC); ubl as a file beside it, which is an XRechnung where the buyer gave a reference. Needs FEATHER_SELLER with a VAT id, the country of the buyer, and tax or reverse charge; other invoices stay plain PDFs.",
    schema: z.enum(["off", "factur-x", "ubl"]),
    default: "off",
    editable: true,
  },
  invoiceNumbers: {
    env: "FEATHER_INVOICE_NUMBERS",
    doc: "Whether invoices are numbered together (operator: F-2026-0001) or for each organization (organization: F-2026-C12-0001). Both ways without gaps within a year. Numbers that exist stay.",
    schema: z.enum(["operator", "organization"]),
    default: "operator",
    editable: true,
  },
} as const satisfies SettingDeclarations;

function isAscending(days: readonly number[]): boolean {
  return days.every((day, index) => day > (days[index - 1] ?? 0) && day <= MAX_RETRY_DAYS);
}

/** The settings of billing. */
export type BillingSettings = SettingsOf<typeof billingSettings>;

/** Who issues invoices. */
export type Seller = z.infer<typeof seller>;

/** Returns what e-invoices lack, for the operator. */
export function findEInvoiceProblems({ eInvoices, seller: from }: Partial<BillingSettings>): string[] {
  if (eInvoices === undefined || eInvoices === "off" || from?.vat_id !== undefined) return [];
  return [`FEATHER_E_INVOICES: ${eInvoices} needs FEATHER_SELLER with a vat_id.`];
}

/** Returns what the checks of VAT ids lack, for the operator. */
export function findViesProblems({ vies, seller: from }: Partial<BillingSettings>): string[] {
  if (vies !== true || (from?.vat_id !== undefined && isInEu(from.country))) return [];
  return ["FEATHER_VIES: on needs FEATHER_SELLER with a vat_id of a country of the EU."];
}

/** Returns what contradicts Stripe Tax, or is needed for it, for the operator. */
export function findTaxProblems(settings: Partial<BillingSettings>): string[] {
  const { tax, payments, taxPercent, vies, stripeTaxCode } = settings;
  if (tax !== "stripe")
    return stripeTaxCode === undefined ? [] : ["STRIPE_TAX_CODE: is for FEATHER_TAX=stripe only; remove it."];
  return [
    ...(payments === "stripe" ? [] : ["FEATHER_TAX: stripe needs FEATHER_PAYMENTS=stripe."]),
    ...(taxPercent === 0 ? [] : ["FEATHER_TAX_PERCENT: must be 0 with FEATHER_TAX=stripe, which calculates the tax."]),
    ...(vies ? ["FEATHER_VIES: must be off with FEATHER_TAX=stripe, which decides about reverse charge itself."] : []),
  ];
}

/** Returns what contradicts Stripe's customer portal, for the operator. */
export function findPortalProblems(settings: Partial<BillingSettings>): string[] {
  const { payments, stripePortal, stripePortalConfiguration } = settings;
  if (stripePortal === true) return payments === "stripe" ? [] : ["STRIPE_PORTAL: on needs FEATHER_PAYMENTS=stripe."];
  return stripePortalConfiguration === undefined
    ? []
    : ["STRIPE_PORTAL_CONFIGURATION: is for STRIPE_PORTAL=on only; remove it."];
}

const isTestKey = (key: string) => /^[a-z]+_test_/.test(key);

/** Returns whether the keys are of Stripe's test mode, in which no money moves. */
export function isStripeTestMode({ stripeSecretKey }: Pick<BillingSettings, "stripeSecretKey">): boolean {
  return stripeSecretKey !== undefined && isTestKey(stripeSecretKey);
}

/** Returns what is missing or ignored of a payment driver of the operator. */
export function findPaymentModuleProblems({ payments, paymentModule }: Partial<BillingSettings>): string[] {
  if (payments === "module" && paymentModule === undefined)
    return ["FEATHER_PAYMENTS: module needs FEATHER_PAYMENT_MODULE; see /docs/payment-drivers."];
  if (payments !== "module" && paymentModule !== undefined)
    return ["FEATHER_PAYMENT_MODULE: is for FEATHER_PAYMENTS=module only; remove it."];
  return [];
}

/** Returns what is missing or contradictory where payments are made through Stripe, for the operator. */
export function findStripeProblems(settings: Partial<BillingSettings>): string[] {
  if (settings.payments !== "stripe") return [];
  const { stripeSecretKey, stripeWebhookSecret, stripePublishableKey } = settings;
  const needed = {
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    STRIPE_PUBLISHABLE_KEY: stripePublishableKey,
  };
  const problems = Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(
      ([name]) => `FEATHER_PAYMENTS: stripe needs ${name}, which Stripe shows under Developers; see /docs/payments.`,
    );
  if (
    stripeSecretKey !== undefined &&
    stripePublishableKey !== undefined &&
    isTestKey(stripeSecretKey) !== isTestKey(stripePublishableKey)
  )
    problems.push("STRIPE_PUBLISHABLE_KEY: must be of the same mode as STRIPE_SECRET_KEY, test or live.");
  return problems;
}
