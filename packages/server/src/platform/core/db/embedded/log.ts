/** Log of the embedded database; compatible with pino. */
export type DatabaseLog = { info(message: string): void; warn(message: string): void };
