/** Properties of an event or a user. */
export type Properties = Record<string, unknown>;
/** Whether the visitor allows analytics. */
export type ConsentSignal = "granted" | "denied";

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
export type Project = { key: string; host: string; startsBeforeConsent: boolean };

/** Value of a conversion and further properties. */
export type Conversion = { value?: number; currency?: string } & Properties;

const CONVERSION_RETRY_MS = 300;
const DEFAULT_CONVERSION = { value: 1, currency: "USD" };

type AnalyticsOptions = { load(project: Project): Promise<AnalyticsClient>; warn(...values: unknown[]): void };

/**
 * Analytics of the site. Nothing is loaded, stored or sent without a project and the visitor's consent; until then, and
 * after errors, all calls are ignored. Never throws.
 */
export function createAnalytics({ load, warn }: AnalyticsOptions) {
  const listeners = new Set<() => void>();
  let project: Project | null = null;
  let signal: ConsentSignal | null = null;
  let loading: Promise<AnalyticsClient | null> | null = null;
  let client: AnalyticsClient | null = null;

  const isAllowed = (): boolean =>
    project !== null && (signal === "granted" || (signal === null && project.startsBeforeConsent));

  function setClient(next: AnalyticsClient | null): void {
    if (client === next) return;
    client = next;
    for (const listener of listeners) listener();
  }

  function runSafely(action: string, call: () => unknown): void {
    try {
      call();
    } catch (error) {
      warn(`Analytics could not ${action}.`, error);
    }
  }

  async function loadOnce(projectToLoad: Project): Promise<AnalyticsClient | null> {
    loading ??= load(projectToLoad).catch((error: unknown) => {
      warn("Analytics could not be loaded.", error); // blocked or unreachable: the site works without it
      return null;
    });
    return loading;
  }

  async function applyConsent(): Promise<void> {
    if (!isAllowed() || project === null) {
      const previousClient = client;
      setClient(null);
      if (previousClient) runSafely("stop", () => previousClient.deny());
      return;
    }
    const next = await loadOnce(project);
    if (next === null || client === next || !isAllowed()) return;
    runSafely("start", () => {
      next.allow();
      setClient(next);
    });
  }

  const callClient = (action: string, call: (ready: AnalyticsClient) => unknown): boolean => {
    const ready = client;
    if (ready) runSafely(action, () => call(ready));
    return ready !== null;
  };

  return {
    start: (next: Project): Promise<void> => {
      project = next;
      return applyConsent();
    },
    /** Sets the visitor's choice. */
    consent: (next: ConsentSignal): Promise<void> => {
      signal = next;
      return applyConsent();
    },
    isReady: () => client !== null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    capture: (event: string, properties?: Properties): void =>
      void callClient("capture", (c) => c.capture(event, properties)),
    identify: (id: string, properties?: Properties): void =>
      void callClient("identify", (c) => c.identify(id, properties)),
    register: (properties: Properties): void => void callClient("register", (c) => c.register(properties)),
    alias: (alias: string, original?: string): void => void callClient("alias", (c) => c.alias(alias, original)),
    reset: (): void => void callClient("reset", (c) => c.reset()),
    group: (type: string, key: string, properties?: Properties): void =>
      void callClient("group", (c) => c.group(type, key, properties)),
    /** Records a conversion, such as a sign-up. Retried once if analytics is not ready yet. */
    conversion(properties: Conversion = {}): void {
      const send = () =>
        callClient("capture", (c) => c.capture("conversion", { ...DEFAULT_CONVERSION, ...properties }));
      if (!send()) setTimeout(send, CONVERSION_RETRY_MS);
    },
  };
}

/** The object returned by `createAnalytics`. */
export type Analytics = ReturnType<typeof createAnalytics>;
