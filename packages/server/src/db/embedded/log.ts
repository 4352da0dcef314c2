/** What the embedded database says to the operator; a pino logger fits. */
export type DatabaseLog = { info(message: string): void; warn(message: string): void };
