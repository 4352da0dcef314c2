export { type ClosedAccounts, closeAccounts, closeAccountsOfDeleted } from "./close-accounts.ts";
export type { Ledger, LedgerAccount, LedgerTransaction, PostedTransaction } from "./ledger.ts";
export { createLedger, disputedAccount } from "./ledger.ts";
export { verifyLedger } from "./verify-ledger.ts";
