/**
 * Words that are refused here because the field has another term for their meaning. `docs/glossary.md` defines the
 * terms.
 */

/**
 * A pattern and the term to use instead. `under` limits it to paths with these prefixes. `except` names files in which the
 * word is stored data, such as a field of saved records, and so cannot change.
 */
export type Refusal = { pattern: RegExp; use: string; under?: readonly string[]; except?: readonly string[] };

const WEB = ["packages/web/"];
const TERMINAL = ["packages/cli/"];
const SERVER = ["packages/server/"];
const CHAT = "packages/web/src/features/chat/";

/** Refused as names of files, without folder and ending. */
export const REFUSED_FILES: readonly Refusal[] = [
  {
    pattern: /^(words|bits|parts|later|comes-back|leave|host)$/,
    use: "the name of what the file contains",
    under: WEB,
  },
  { pattern: /^(furnish|stand|look)\b/, use: "seed, environment, screenshots", under: ["e2e/"] },
];

/** Refused in identifiers and, in kebab case, in names of files. */
export const REFUSED_NAMES: readonly Refusal[] = [
  {
    pattern: /^(told|Told|outside|Outside)$/,
    use: "a named parameter, ServerOptions",
    except: ["packages/cli/src/update/notice.ts"],
  },
  {
    pattern: /^asked$|^Asked|[a-z]Asked$/,
    use: "request, RecordedRequest",
    except: ["packages/server/src/catalogue/models/admin-models.usecases.ts"],
  },
  { pattern: /^(came|cameIn|Visitor)$/, use: "registrationContext, recordSignIn, ClientInfo", under: SERVER },
  { pattern: /^forget([A-Z]|$)/, use: "invalidate, evict" },
  { pattern: /(^|[a-z])[Dd]esk(?![a-z])/, use: "payments" },
  { pattern: /[Bb]ookkeeping/, use: "postings" },
  { pattern: /^[Ee]ndings?$/, use: "cancellation, ExitReport" },
  {
    pattern: /^([Ww]ish|wishes|[Ww]anted|wantedOf)$/,
    use: "ChangeRequest, PlanSelection",
    except: ["stored.schemas.ts", "stored.schemas.test.ts"].map((name) => `packages/server/src/money/billing/${name}`),
  },
  { pattern: /^(Standing|Running)$/, use: "BillingState, ActiveSubscription", under: SERVER },
  { pattern: /^Reduction$|^Bill$|^lessen/, use: "Discount, InvoiceDraft, reduce" },
  { pattern: /^(kick|waking|coolUntil|rested)$/, use: "enqueue, coldStart, circuitOpenUntil, unhealthyRank" },
  { pattern: /^(breakOff|partWays)$/, use: "abort, drain" },
  { pattern: /[Ss]tandIn/, use: "stub, fake" },
  { pattern: /[Dd]eeds?(?![a-z])/, use: "action" },
  {
    pattern: /(^|_)faults?([A-Z]|$)|Faults?([A-Z]|$)/,
    use: "error",
    under: WEB,
    except: ["stored-records.ts", "stores.test.ts"].map((name) => `${CHAT}conversation/store/${name}`),
  },
  { pattern: /^(sorry|expecting|goOn|manner)$/, use: "showError, optimisticUpdate, continueAnswer, SendOptions" },
  {
    pattern: /^(Listing|Sheet|yields|Branch|TABLE|World|Ending)$/,
    use: "TableView, DetailView, dropOrder, CommandGroup, COMMANDS, Runtime, ExitReport",
    under: TERMINAL,
  },
  { pattern: /^(furnish|stand|look)([A-Z]|$)/, use: "seed, environment, screenshots", under: ["e2e/"] },
  { pattern: /(^|_)(MOST|LONGEST|PATIENCE|USUAL)(_|$)/, use: "MAX_…, …_TIMEOUT_MS, DEFAULT_…: the thing and its unit" },
];

/** Refused in comments, titles of tests, the contract's texts and the docs. */
export const REFUSED_PHRASES: readonly Refusal[] = [
  { pattern: /\b[Aa]nswers (whether|null|nothing|undefined|true|false)\b/, use: "returns" },
  { pattern: /\b(is|are|too|so|as) dear\b|\bdear(er|est)\b/i, use: "expensive" },
  { pattern: /\bin the house\b|\bpages of the law\b|\bkeep(s|ing)? it honest\b/i, use: "the plain term" },
  { pattern: /\b(deeds?|bookkeeping|payment desk)\b/i, use: "action, postings, payments" },
];
