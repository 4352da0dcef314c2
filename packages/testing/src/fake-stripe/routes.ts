import { invalid, StripeFault } from "./errors.ts";
import { nestedOf, type Params, textOf } from "./form.ts";
import { listObjects } from "./lists.ts";
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  listPaymentIntents,
} from "./payment-intents.ts";
import {
  createCustomer,
  createPortalSession,
  detachCard,
  getPortalConfiguration,
  listCardsOfCustomer,
  listPortalConfigurations,
  updateCustomer,
} from "./portal.ts";
import { createRefund } from "./refunds.ts";
import { confirmSetupIntent, createSetupIntent } from "./setup-intents.ts";
import { type Dispute, getObject, type Store } from "./store.ts";
import { createTaxCalculation, createTaxTransaction, reverseTaxTransaction } from "./tax.ts";

type Answer = (store: Store, params: Params, id: string) => object;
type Route = {
  method: "GET" | "POST";
  path: RegExp;
  /** The parameters that the stand-in understands; others are refused. */
  params: readonly string[];
  /** Whether a browser may send it, with the publishable key. */
  isPublic?: true;
  answer: Answer;
};

const CONFIRM_PARAMS = ["payment_method", "off_session", "return_url"];
const ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: /^\/v1\/customers$/,
    params: ["name", "email", "metadata"],
    answer: createCustomer,
  },
  {
    method: "POST",
    path: /^\/v1\/customers\/([^/]+)$/,
    params: ["name", "email", "address", "invoice_settings"],
    answer: updateCustomer,
  },
  {
    method: "GET",
    path: /^\/v1\/customers\/([^/]+)$/,
    params: [],
    answer: (store, _params, id) => {
      const customer = getObject(store.customers, "customer", id);
      return store.deletedCustomers.has(id) ? { id, object: "customer", deleted: true } : customer;
    },
  },
  {
    method: "GET",
    path: /^\/v1\/customers\/([^/]+)\/payment_methods$/,
    params: ["type", "limit", "starting_after"],
    answer: listCardsOfCustomer,
  },
  {
    method: "POST",
    path: /^\/v1\/billing_portal\/sessions$/,
    params: ["customer", "return_url", "configuration"],
    answer: createPortalSession,
  },
  {
    method: "GET",
    path: /^\/v1\/billing_portal\/configurations$/,
    params: ["is_default", "active", "limit"],
    answer: listPortalConfigurations,
  },
  {
    method: "GET",
    path: /^\/v1\/billing_portal\/configurations\/([^/]+)$/,
    params: [],
    answer: getPortalConfiguration,
  },
  {
    method: "POST",
    path: /^\/v1\/billing_portal\/configurations\/([^/]+)$/,
    params: [],
    answer: getPortalConfiguration,
  },
  {
    method: "GET",
    path: /^\/v1\/account$/,
    params: [],
    answer: () => ({ id: "acct_standin", object: "account", settings: { dashboard: { display_name: "Plume" } } }),
  },
  {
    method: "GET",
    path: /^\/v1\/webhook_endpoints$/,
    params: ["limit", "starting_after"],
    answer: (store, query) => listObjects("/v1/webhook_endpoints", store.webhookEndpoints.values(), query),
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents$/,
    params: ["customer", "usage", "allowed_payment_method_types", "metadata"],
    answer: createSetupIntent,
  },
  {
    method: "GET",
    path: /^\/v1\/setup_intents\/([^/]+)$/,
    params: ["expand"],
    answer: (store, query, id) => {
      const intent = getObject(store.setupIntents, "setupintent", id, "intent");
      const card = store.paymentMethods.get(intent.payment_method ?? "");
      return isExpanded(query, "payment_method") && card ? { ...intent, payment_method: card } : intent;
    },
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents\/([^/]+)\/confirm$/,
    params: ["client_secret", "payment_method_data", "return_url"],
    isPublic: true,
    answer: (store, params, id) => confirmSetupIntent(store, id, params),
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents\/([^/]+)\/cancel$/,
    params: [],
    answer: (store, _params, id) =>
      Object.assign(getObject(store.setupIntents, "setupintent", id, "intent"), { status: "canceled" }),
  },
  {
    method: "POST",
    path: /^\/v1\/payment_intents$/,
    params: [
      "amount",
      "currency",
      "customer",
      "description",
      "metadata",
      "confirm",
      "allowed_payment_method_types",
    ].concat(CONFIRM_PARAMS),
    answer: createPaymentIntent,
  },
  {
    method: "GET",
    path: /^\/v1\/payment_intents$/,
    params: ["customer", "created", "limit", "starting_after", "expand"],
    answer: listPaymentIntents,
  },
  {
    method: "GET",
    path: /^\/v1\/payment_intents\/([^/]+)$/,
    params: ["expand"],
    answer: (store, query, id) => {
      const intent = getObject(store.paymentIntents, "payment_intent", id, "intent");
      const charge = store.charges.get(intent.latest_charge ?? "");
      return isExpanded(query, "latest_charge") && charge ? { ...intent, latest_charge: charge } : intent;
    },
  },
  {
    method: "POST",
    path: /^\/v1\/payment_intents\/([^/]+)\/confirm$/,
    params: CONFIRM_PARAMS,
    answer: (store, params, id) => confirmPaymentIntent(store, id, params),
  },
  {
    method: "POST",
    path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/,
    params: [],
    answer: (store, _params, id) => cancelPaymentIntent(store, id),
  },
  {
    method: "POST",
    path: /^\/v1\/refunds$/,
    params: ["payment_intent", "amount", "metadata"],
    answer: createRefund,
  },
  {
    method: "GET",
    path: /^\/v1\/refunds$/,
    params: ["payment_intent", "created", "limit", "starting_after"],
    answer: (store, query) => {
      const intent = textOf(query, "payment_intent");
      const refunds = [...store.refunds.values()].filter(
        (one) => intent === undefined || one.payment_intent === intent,
      );
      return listObjects("/v1/refunds", refunds, query);
    },
  },
  {
    method: "POST",
    path: /^\/v1\/refunds\/([^/]+)$/,
    params: [],
    answer: (store, _params, id) => getObject(store.refunds, "refund", id),
  },
  {
    method: "GET",
    path: /^\/v1\/charges$/,
    params: ["created", "limit", "starting_after"],
    answer: (store, query) => listObjects("/v1/charges", store.charges.values(), query),
  },
  {
    method: "GET",
    path: /^\/v1\/disputes$/,
    params: ["created", "limit", "starting_after", "expand"],
    answer: (store, query) => {
      const list = listObjects("/v1/disputes", store.disputes.values(), query);
      const expand = (dispute: Dispute) => ({
        ...dispute,
        payment_intent: store.paymentIntents.get(dispute.payment_intent),
      });
      return isExpanded(query, "data.payment_intent") ? { ...list, data: list.data.map(expand) } : list;
    },
  },
  {
    method: "GET",
    path: /^\/v1\/disputes\/([^/]+)$/,
    params: ["expand"],
    answer: (store, query, id) => {
      const dispute = getObject(store.disputes, "dispute", id, "id");
      const intent = store.paymentIntents.get(dispute.payment_intent);
      return isExpanded(query, "payment_intent") && intent ? { ...dispute, payment_intent: intent } : dispute;
    },
  },
  {
    method: "POST",
    path: /^\/v1\/payment_methods\/([^/]+)\/detach$/,
    params: [],
    answer: (store, _params, id) => detachCard(store, id),
  },
  {
    method: "POST",
    path: /^\/v1\/tax\/calculations$/,
    params: ["currency", "line_items", "customer_details", "expand"],
    answer: createTaxCalculation,
  },
  {
    method: "GET",
    path: /^\/v1\/tax\/calculations\/([^/]+)$/,
    params: [],
    answer: (store, _params, id) => getObject(store.taxCalculations, "tax calculation", id),
  },
  {
    method: "POST",
    path: /^\/v1\/tax\/transactions\/create_from_calculation$/,
    params: ["calculation", "reference", "metadata"],
    answer: createTaxTransaction,
  },
  {
    method: "POST",
    path: /^\/v1\/tax\/transactions\/create_reversal$/,
    params: ["mode", "original_transaction", "reference", "flat_amount", "metadata"],
    answer: reverseTaxTransaction,
  },
];

/** Returns what answers a request, with the id in its path. Throws for an unknown address. */
export function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, id: match[1] ?? "" };
  }
  throw new StripeFault(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

const PERMISSIONS: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/customers\/[^/]+\/payment_methods/, "Payment Methods"],
  [/^\/v1\/customers/, "Customers"],
  [/^\/v1\/billing_portal/, "Customer portal"],
  [/^\/v1\/setup_intents/, "Setup Intents"],
  [/^\/v1\/payment_intents/, "Payment Intents"],
  [/^\/v1\/payment_methods/, "Payment Methods"],
  [/^\/v1\/refunds/, "Refunds"],
  [/^\/v1\/charges/, "Charges"],
  [/^\/v1\/disputes/, "Disputes"],
  [/^\/v1\/webhook_endpoints/, "Webhook Endpoints"],
  [/^\/v1\/account$/, "Account"],
  [/^\/v1\/tax\//, "Tax Calculations and Transactions"],
];

/** Throws where a restricted key lacks the permission of an address. Stripe refuses before it looks anything up. */
export function checkPermission({ lackingPermissions }: Store, path: string): void {
  const [, permission = ""] = PERMISSIONS.find(([pattern]) => pattern.test(path)) ?? [];
  if (lackingPermissions.has(permission))
    throw new StripeFault(403, {
      type: "invalid_request_error",
      code: "more_permissions_required",
      message: "The provided key does not have the required permissions for this endpoint.",
    });
}

/** Throws for the first parameter that the route does not take. */
export function checkParams({ params }: Route, given: Params): void {
  if (given.payment_method_types !== undefined)
    throw invalid(
      "payment_method_types",
      "payment_method_types is no longer supported.",
      "payment_method_types_no_longer_supported",
    );
  for (const name of Object.keys(given))
    if (!params.includes(name)) throw invalid(name, `Received unknown parameter: ${name}`, "parameter_unknown");
}

function isExpanded(query: Params, field: string): boolean {
  return Object.values(nestedOf(query, "expand")).includes(field);
}
