import type { Profile } from "../../config/config-schema.ts";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";

/** The argument that names a profile. */
export const PROFILE_ARGUMENT = {
  name: "[name]",
  summary: "profile; you are asked at a terminal",
  values: "profiles",
} as const;

/** Returns the name of a profile, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveProfile(
  context: Context,
  profiles: Readonly<Record<string, Profile>>,
  name: string,
): Promise<string> {
  if (name !== "") return name;
  return pickItem(context, {
    label: "Profile",
    alternative: "the profile's name: feather profile list",
    empty: ["there are no profiles yet", "feather login"],
    list: async () => Object.entries(profiles),
    toChoice: ([label, { baseUrl }]) => ({ label, ...(baseUrl !== undefined && { note: baseUrl }), value: label }),
  });
}
