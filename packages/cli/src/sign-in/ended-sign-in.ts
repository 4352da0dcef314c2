import type { Context } from "../context.ts";
import { SignInError } from "../errors.ts";

/**
 * Runs a command that needs no sign-in. If the stored sign-in has ended, prints that and runs the command without it. A
 * refused credential of the environment is an error, because it was given on purpose.
 */
export async function runPublicly(context: Context, run: (context: Context) => Promise<void>): Promise<void> {
  try {
    await run(context);
  } catch (error) {
    if (!(await isEndedSignIn(context, error))) throw error;
    const { profile } = context.settings();
    context.output.info(`The sign-in of profile ${profile} has ended: this is what everybody sees. feather login`);
    await run({ ...context, client: () => context.createClient(undefined) });
  }
}

async function isEndedSignIn({ settings }: Context, error: unknown): Promise<boolean> {
  const { isUnauthorized } = await import("@feather/sdk");
  if (!(error instanceof SignInError) && !isUnauthorized(error)) return false;
  const { secret, secretSource } = settings();
  return secret !== undefined && !secretSource?.startsWith("FEATHER_");
}
