/** Properties of an event or a user. */
export type Properties = Record<string, unknown>;
/** Whether the visitor allows analytics. */
export type Signal = "granted" | "denied";

/** The part of the analytics library that is used. */
export type AnalyticsClient = {
  capture(event: string, properties?: Properties): unknown;
  identify(id: string, properties?: Properties): unknown;
  register(properties: Properties): unknown;
  alias(alias: string, original?: string): unknown;
  reset(): unknown;
  group(type: string, key: string, properties?: Properties): unknown;
  /** Allows it to store and send data. */
  allow(): unknown;
  /** Stops it and removes its data from the browser. */
  deny(): unknown;
};

/** Where events are sent; `startsBeforeConsent` if the operator does not require the visitor's consent. */
export type Project = { key: string; host: string; beforeConsent: boolean };

/** Value of a conversion and further properties. */
export type Conversion = { value?: number; currency?: string } & Properties;

const CONVERSION_RETRY = 300;
const CONVERSION = { value: 1, currency: "USD" };

type Deps = { load(project: Project): Promise<AnalyticsClient>; warn(...words: unknown[]): void };

/**
 * Analytics of the site. Nothing is loaded, stored or sent without a project and the visitor's consent; until then, and
 * after errors, all calls are ignored. Never throws.
 */
export function createAnalytics({ load, warn }: Deps) {
  const listeners = new Set<() => void>();
  let project: Project | null = null;
  let signal: Signal | null = null;
  let loaded: Promise<AnalyticsClient | null> | null = null;
  let client: AnalyticsClient | null = null;

  const isAllowed = (): boolean =>
    project !== null && (signal === "granted" || (signal === null && project.beforeConsent));

  function become(next: AnalyticsClient | null): void {
    if (client === next) return;
    client = next;
    for (const listener of listeners) listener();
  }

  function attempt(what: string, call: () => unknown): void {
    try {
      call();
    } catch (error) {
      warn(`Analytics could not ${what}.`, error);
    }
  }

  async function loadOnce(wanted: Project): Promise<AnalyticsClient | null> {
    loaded ??= load(wanted).catch((error: unknown) => {
      warn("Analytics could not be loaded.", error); // blocked or unreachable: the site works without it
      return null;
    });
    return loaded;
  }

  async function follow(): Promise<void> {
    if (!isAllowed() || project === null) {
      const running = client;
      become(null);
      if (running) attempt("stop", () => running.deny());
      return;
    }
    const next = await loadOnce(project);
    if (next === null || client === next || !isAllowed()) return;
    attempt("start", () => {
      next.allow();
      become(next);
    });
  }

  const use = (what: string, call: (ready: AnalyticsClient) => unknown): boolean => {
    const ready = client;
    if (ready) attempt(what, () => call(ready));
    return ready !== null;
  };

  return {
    start: (next: Project): Promise<void> => {
      project = next;
      return follow();
    },
    /** Sets the visitor's choice. */
    consent: (next: Signal): Promise<void> => {
      signal = next;
      return follow();
    },
    isReady: () => client !== null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    capture: (event: string, properties?: Properties): void => void use("capture", (c) => c.capture(event, properties)),
    identify: (id: string, properties?: Properties): void => void use("identify", (c) => c.identify(id, properties)),
    register: (properties: Properties): void => void use("register", (c) => c.register(properties)),
    alias: (alias: string, original?: string): void => void use("alias", (c) => c.alias(alias, original)),
    reset: (): void => void use("reset", (c) => c.reset()),
    group: (type: string, key: string, properties?: Properties): void =>
      void use("group", (c) => c.group(type, key, properties)),
    /** Records a conversion, such as a sign-up. Retried once if analytics is not ready yet. */
    conversion(properties: Conversion = {}): void {
      const send = () => use("capture", (c) => c.capture("conversion", { ...CONVERSION, ...properties }));
      if (!send()) setTimeout(send, CONVERSION_RETRY);
    },
  };
}

/** The object returned by `createAnalytics`. */
export type Analytics = ReturnType<typeof createAnalytics>;
