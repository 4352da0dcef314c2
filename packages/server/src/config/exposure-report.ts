import { marketplaceModeOf } from "../money/marketplace/marketplace.settings.ts";
import { SettingsError } from "../platform/core/settings.ts";
import { isExposed } from "./exposure.ts";
import { listensEverywhere, publicUrlOf } from "./public-url.ts";
import type { Settings } from "./settings.ts";

/** Who can reach the server, and which functions are open to them. */
export type ExposureReport = {
  isExposed: boolean;
  host: string;
  publicUrl: string;
  /** Whether the public URL uses HTTPS. */
  isEncrypted: boolean;
  registration: Settings["registration"]["mode"];
  payments: Settings["billing"]["payments"];
  marketplaces: ReturnType<typeof marketplaceModeOf>;
  discovery: boolean;
};

/** Summarizes the settings that matter for exposure. */
export function createExposureReport(settings: Settings): ExposureReport {
  const { server, registration, billing, marketplace, backends } = settings;
  const publicUrl = publicUrlOf(server);
  return {
    isExposed: isExposed(server.host, server.publicUrl),
    host: server.host,
    publicUrl,
    isEncrypted: publicUrl.startsWith("https:"),
    registration: registration.mode,
    payments: billing.payments,
    marketplaces: marketplaceModeOf(marketplace),
    discovery: backends.discover,
  };
}

/** Throws a SettingsError if passwords and keys would cross a network unencrypted and FEATHER_INSECURE is off. */
export function refuseInsecureStart(settings: Settings): void {
  const { isExposed: exposed, isEncrypted, host, publicUrl } = createExposureReport(settings);
  if (!exposed || isEncrypted || settings.server.insecure) return;
  throw new SettingsError(
    `Other machines can reach this server (FEATHER_HOST=${host}, FEATHER_PUBLIC_URL=` +
      `${settings.server.publicUrl ?? ""}), but by plain HTTP, which shows passwords and keys to the network on the ` +
      `way. Put a proxy with HTTPS in front and set FEATHER_PUBLIC_URL to its https:// address` +
      `${listensEverywhere(host) ? "" : `, not ${publicUrl}`}. Where every machine of the network is trusted, ` +
      "FEATHER_INSECURE=on starts the server without it.",
  );
}

const REGISTRATION_TEXTS = {
  open: "everybody may make an account",
  invite: "only people whom an admin has invited may make an account",
  approve: "everybody may ask for an account; an admin lets them in",
  off: "nobody may make an account",
} as const;

/** Returns the lines that operators see at each start. */
export function describeExposure(report: ExposureReport): string[] {
  const { registration, payments, marketplaces, discovery } = report;
  if (!report.isExposed)
    return ["Only this machine can reach the server. FEATHER_HOST and FEATHER_PUBLIC_URL open it."];
  return [
    `Other machines can reach the server (FEATHER_HOST=${report.host}). Open to them:`,
    `  registration   ${registration}: ${REGISTRATION_TEXTS[registration]} (FEATHER_REGISTRATION)`,
    `  payments       ${payments === "off" ? "off: nothing is sold" : payments} (FEATHER_PAYMENTS)`,
    `  marketplaces   ${marketplaces} (FEATHER_MARKETPLACES)`,
    `  discovery      ${discovery ? "on: whatever listens on this machine at a known port is called as a backend" : "off"} (FEATHER_DISCOVER)`,
    report.isEncrypted
      ? `  HTTPS          on, by the proxy that serves ${report.publicUrl}`
      : "  HTTPS          OFF: passwords and keys cross the network unencrypted (FEATHER_INSECURE=on)",
    ...(listensEverywhere(report.host) && report.publicUrl.startsWith("http://localhost")
      ? [
          `  Links in mails and OAuth lead to ${report.publicUrl}, which other machines cannot use: set FEATHER_PUBLIC_URL.`,
        ]
      : []),
  ];
}
