import type { Backend, ServerSettings, StorePull, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import { adminPaths } from "../paths.ts";

/** What the steps are read from. */
export type SetupFacts = {
  settings: ServerSettings;
  backends: readonly Pick<Backend, "state" | "models">[];
  /** Downloads of models to this machine. */
  pulls: readonly Pick<StorePull, "state">[];
  user: Pick<User, "totp_enabled">;
  passkeyCount: number;
};

/** A step of setting a server up: whether it is done, how things are now, and where to do it. */
export type SetupStep = { title: string; isDone: boolean; state: string; link: { label: string; to: string } };

/** Returns the steps of setting a server up, those first that others depend on. */
export const listSetupSteps = (facts: SetupFacts): SetupStep[] => [
  toSecondFactorStep(facts),
  toModelStep(facts),
  toAddressStep(facts),
  toMailStep(facts),
  toRegistrationStep(facts),
];

function toSecondFactorStep({ user, passkeyCount }: SetupFacts): SetupStep {
  const isDone = user.totp_enabled || passkeyCount > 0;
  return {
    title: t`Second factor of your account`,
    isDone,
    state: isDone
      ? t`Your account asks for one.`
      : t`Your password alone opens this area: add a passkey or an authenticator app.`,
    link: { label: t`Passkeys and authenticator app`, to: paths.security },
  };
}

/** Models of this owner come with the server. */
const BUILT_IN_OWNER = "feather/";

function toModelStep({ backends, pulls }: SetupFacts): SetupStep {
  const hasBackend = backends.some(
    ({ state, models }) => state === "healthy" && models.some((model) => !model.startsWith(BUILT_IN_OWNER)),
  );
  const isDone = hasBackend || pulls.some(({ state }) => state === "done");
  return {
    title: t`First model`,
    isDone,
    state: isDone
      ? t`There is one besides those that come with the server.`
      : t`Only the models that come with the server can answer: pull one to this machine, or add a backend.`,
    link: { label: t`Pull a model`, to: adminPaths.downloads },
  };
}

function toAddressStep({ settings }: SetupFacts): SetupStep {
  const { is_exposed, is_encrypted, public_url } = settings.exposure;
  return {
    title: t`Public address`,
    isDone: isSet(settings, "FEATHER_PUBLIC_URL") && (is_encrypted || !is_exposed),
    state: !is_exposed
      ? t`Only this machine reaches the server, at ${public_url}.`
      : is_encrypted
        ? t`Other machines reach the server, at ${public_url}.`
        : t`Other machines reach the server at ${public_url}, without HTTPS: passwords and keys can be read on the way.`,
    link: is_exposed
      ? { label: t`Set the address`, to: adminPaths.setting("FEATHER_PUBLIC_URL") }
      : { label: t`How to put it on the network`, to: paths.docs("self-hosting") },
  };
}

function toMailStep({ settings }: SetupFacts): SetupStep {
  const isDone = isSet(settings, "SMTP_URL");
  return {
    title: t`Mail server`,
    isDone,
    state: isDone
      ? t`Messages are sent through it.`
      : t`None: messages stay in the outbox, and e-mail addresses count as verified.`,
    link: isDone
      ? { label: t`Outbox`, to: adminPaths.outbox() }
      : { label: t`Set it up`, to: adminPaths.setting("SMTP_URL") },
  };
}

const REGISTRATION_STATES: Record<SetupFacts["settings"]["exposure"]["registration"], string> = {
  open: t`Everybody who reaches the server can make an account.`,
  invite: t`Only people whom an admin has invited can make an account.`,
  approve: t`Everybody can ask for an account, and an admin approves it.`,
  off: t`Nobody can make an account.`,
};

function toRegistrationStep({ settings }: SetupFacts): SetupStep {
  return {
    title: t`Registration`,
    isDone: isSet(settings, "FEATHER_REGISTRATION"),
    state: REGISTRATION_STATES[settings.exposure.registration],
    link: { label: t`Choose who`, to: adminPaths.setting("FEATHER_REGISTRATION") },
  };
}

const isSet = ({ items }: SetupFacts["settings"], name: string): boolean =>
  items.some((setting) => setting.name === name && !setting.is_default);
