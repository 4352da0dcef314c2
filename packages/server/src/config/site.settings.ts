import { z } from "zod";
import { httpUrl, line, onOff, type SettingDeclarations, type SettingsOf } from "../platform/core/settings.ts";

/** Settings of the operator's details for visitors, and of the analytics server. */
export const siteSettings = {
  productName: {
    env: "FEATHER_PRODUCT_NAME",
    doc: "Name shown in titles.",
    schema: line.max(60),
    default: "Feather",
    editable: true,
  },
  contactEmail: {
    env: "FEATHER_CONTACT_EMAIL",
    doc: "Where people reach the operator, such as about a plan by agreement or a sponsorship. Everybody can read it.",
    schema: z.email().max(254).optional(),
    default: undefined,
    editable: true,
  },
  communityUrl: {
    env: "FEATHER_COMMUNITY_URL",
    doc: "Address of the operator's community, such as a chat or a forum; /discord leads there.",
    schema: httpUrl.max(2_000).optional(),
    default: undefined,
    editable: true,
  },
  analyticsKey: {
    env: "FEATHER_ANALYTICS_KEY",
    doc: "Public key of a PostHog project that the site sends page views to; without one it sends nothing to anybody.",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,200}$/, "must consist of letters, digits, - and _")
      .optional(),
    default: undefined,
    secret: false,
    editable: true,
  },
  analyticsHost: {
    env: "FEATHER_ANALYTICS_HOST",
    doc: "Address of the PostHog server.",
    schema: httpUrl,
    default: "https://eu.i.posthog.com",
    editable: true,
  },
  analyticsBeforeConsent: {
    env: "FEATHER_ANALYTICS_BEFORE_CONSENT",
    doc: "Whether the site sends them before the visitor has chosen about cookies; a visitor's refusal holds either way.",
    schema: onOff,
    default: "off",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of the site. */
export type SiteSettings = SettingsOf<typeof siteSettings>;
