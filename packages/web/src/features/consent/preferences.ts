/** A category of cookies. */
export type CookieCategory = "essential" | "analytics" | "functionality" | "marketing";

/**
 * What a visitor allows. Only analytics can be chosen separately; the other optional categories come with Accept All.
 */
export type CookiePreferences = Record<CookieCategory, boolean> & {
  /** Whether the visitor has chosen at all. */
  accepted: boolean;
  /** When the visitor chose, in milliseconds since 1970. */
  timestamp: number;
};

/** Whether analytics may run. */
export type ConsentSignal = "granted" | "denied";

/** Key in the browser's storage. */
export const STORAGE_KEY = "feather-cookie-preferences";
/** Event dispatched when a choice is saved; `detail` is the new preferences. */
export const UPDATED_EVENT = "cookiePreferencesUpdated";

/** Preferences before a choice. */
export const DEFAULT_PREFERENCES: CookiePreferences = {
  essential: true,
  analytics: false,
  functionality: false,
  marketing: false,
  accepted: false,
  timestamp: 0,
};

/** Parses the stored record; defaults if it is missing or invalid. */
export function readPreferences(saved: string | null, log: (...values: unknown[]) => void): CookiePreferences {
  if (saved === null) return DEFAULT_PREFERENCES;
  try {
    return parseRecord(JSON.parse(saved));
  } catch (error) {
    log("Failed to parse cookie preferences", error);
    return DEFAULT_PREFERENCES;
  }
}

function parseRecord(saved: unknown): CookiePreferences {
  if (typeof saved !== "object" || saved === null || Array.isArray(saved)) throw new TypeError("It is not a record.");
  const record = saved as Record<string, unknown>;
  const isTrue = (name: string) => record[name] === true;
  return {
    essential: true, // cannot be switched off
    analytics: isTrue("analytics"),
    functionality: isTrue("functionality"),
    marketing: isTrue("marketing"),
    accepted: isTrue("accepted"),
    timestamp: typeof record.timestamp === "number" ? record.timestamp : 0,
  };
}

/** Returns preferences that allow every category. */
export const acceptAll = (now: number): CookiePreferences => ({
  essential: true,
  analytics: true,
  functionality: true,
  marketing: true,
  accepted: true,
  timestamp: now,
});

/** Returns preferences that allow essential cookies only. */
export const rejectAll = (now: number): CookiePreferences => ({
  ...DEFAULT_PREFERENCES,
  accepted: true,
  timestamp: now,
});

/** Returns the preferences with another choice for analytics. */
export const savePreferences = (
  current: CookiePreferences,
  chosen: { analytics: boolean },
  now: number,
): CookiePreferences => ({ ...current, analytics: chosen.analytics, essential: true, accepted: true, timestamp: now });

/** Whether the visitor has allowed a category. */
export const isAllowed = (preferences: CookiePreferences, category: CookieCategory): boolean =>
  preferences.accepted && preferences[category];

/** Returns whether analytics may run. */
export const toConsentSignal = (preferences: CookiePreferences): ConsentSignal =>
  isAllowed(preferences, "analytics") ? "granted" : "denied";
