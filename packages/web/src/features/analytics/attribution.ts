/** Where a visit comes from. */
export type TrafficSource = "direct" | "google" | "github" | "twitter" | "external" | "coding_assistant";

/** Properties of all events of a visit. */
export type Attribution = {
  traffic_source: TrafficSource;
  coding_assistant?: string;
  utm_source?: string;
  utm_medium?: string;
  utm_campaign?: string;
  utm_content?: string;
  utm_term?: string;
};

const UTM_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"] as const;
const MAX_VALUE_LENGTH = 200;
/** Landing pages that coding assistants link to. */
const ASSISTANTS_BY_PATH: Record<string, string> = { "/cline": "cline", "/roo-code": "roo-code" };

/** Reads the attribution from the URL of the first page and its referrer. */
export function readAttribution(address: URL, referrer: string): Attribution {
  const assistant = ASSISTANTS_BY_PATH[address.pathname.replace(/\/+$/, "").toLowerCase()];
  const campaign = UTM_PARAMETERS.flatMap((name) => {
    const value = address.searchParams.get(name)?.trim().slice(0, MAX_VALUE_LENGTH);
    return value ? [[name, value] as const] : [];
  });
  return {
    traffic_source: assistant ? "coding_assistant" : readTrafficSource(referrer, address.hostname),
    ...(assistant && { coding_assistant: assistant }),
    ...Object.fromEntries(campaign),
  };
}

/** Classifies a referrer; "direct" for none, an invalid one, or the site itself. */
export function readTrafficSource(referrer: string, ownHost: string): TrafficSource {
  if (!URL.canParse(referrer)) return "direct";
  const { hostname } = new URL(referrer);
  if (hostname === "" || hostname === ownHost) return "direct";
  const isOn = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  if (/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/.test(hostname)) return "google";
  if (isOn("github.com")) return "github";
  if (isOn("twitter.com") || isOn("x.com") || hostname === "t.co") return "twitter";
  return "external";
}
