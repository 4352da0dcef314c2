import type { Schemas } from "@feather/sdk";

/** For whom a rule holds, in words. */
export function conditionsOf({ auth, plan, email_verified }: Schemas["RouteRuleCondition"]): string {
  const said = [
    auth === true ? "signed in" : auth === false ? "signed out" : null,
    email_verified === true ? "e-mail confirmed" : email_verified === false ? "e-mail not confirmed" : null,
    plan ? `on ${plan}` : null,
  ].filter((words) => words !== null);
  return said.length === 0 ? "everybody" : said.join(", ");
}
