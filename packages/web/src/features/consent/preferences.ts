export type Category = "essential" | "analytics" | "functionality" | "marketing";

/** What a visitor allows. Only essential and analytics are to be chosen; the others come with Accept All. */
export type CookiePreferences = Record<Category, boolean> & {
  /** Whether the visitor has chosen at all. */
  accepted: boolean;
  /** When, in milliseconds since 1970. */
  timestamp: number;
};

export type Signal = "granted" | "denied";

export const STORAGE_KEY = "feather-cookie-preferences";
export const UPDATED_EVENT = "cookiePreferencesUpdated";

export const UNSET: CookiePreferences = {
  essential: true,
  analytics: false,
  functionality: false,
  marketing: false,
  accepted: false,
  timestamp: 0,
};

/** The saved record, merged into what holds without one. A record that cannot be read counts as none. */
export function readPreferences(saved: string | null, log: (...words: unknown[]) => void): CookiePreferences {
  if (saved === null) return UNSET;
  try {
    return merge(JSON.parse(saved));
  } catch (error) {
    log("Failed to parse cookie preferences", error);
    return UNSET;
  }
}

function merge(saved: unknown): CookiePreferences {
  if (typeof saved !== "object" || saved === null || Array.isArray(saved)) throw new TypeError("It is not a record.");
  const record = saved as Record<string, unknown>;
  const flag = (name: string) => record[name] === true;
  return {
    essential: true, // cannot be switched off
    analytics: flag("analytics"),
    functionality: flag("functionality"),
    marketing: flag("marketing"),
    accepted: flag("accepted"),
    timestamp: typeof record.timestamp === "number" ? record.timestamp : 0,
  };
}

export const acceptAll = (now: number): CookiePreferences => ({
  essential: true,
  analytics: true,
  functionality: true,
  marketing: true,
  accepted: true,
  timestamp: now,
});

export const rejectAll = (now: number): CookiePreferences => ({ ...UNSET, accepted: true, timestamp: now });

export const savePreferences = (
  before: CookiePreferences,
  chosen: { analytics: boolean },
  now: number,
): CookiePreferences => ({ ...before, analytics: chosen.analytics, essential: true, accepted: true, timestamp: now });

/** Whether the visitor allows a category: only after choosing. */
export const isAllowed = (preferences: CookiePreferences, category: Category): boolean =>
  preferences.accepted && preferences[category];

export const signalOf = (preferences: CookiePreferences): Signal =>
  isAllowed(preferences, "analytics") ? "granted" : "denied";
