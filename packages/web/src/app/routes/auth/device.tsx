import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { z } from "zod";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { ImpersonationNotice } from "#/entities/session/impersonation-notice.tsx";
import { useUser } from "#/entities/session/user.ts";
import { type ConsentDecision, ConsentForm } from "#/features/oauth/consent-form.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import styles from "./device.module.css";

/** A user code has eight letters; spaces, hyphens and case do not matter. */
const code = z.string().refine((value) => /^[a-z]{8}$/i.test(value.replaceAll(/[\s-]/g, "")), {
  error: t`Code is not valid: it has eight letters.`,
});

/** Where a user enters the code that a device shows (RFC 8628). */
export default function DevicePage() {
  const [query, setQuery] = useSearchParams();
  const [done, setDone] = useState<"approve" | "deny" | null>(null);
  const codeParam = query.get("code");
  const { user } = useUser();
  return (
    <NarrowPage isWide>
      {user?.impersonated_by ? (
        <>
          <h1 className="h2">{t`Sign in on a device`}</h1>
          <ImpersonationNotice>{t`Only they can sign a device in to their account.`}</ImpersonationNotice>
        </>
      ) : done ? (
        <DecisionResult decision={done} />
      ) : codeParam && code.safeParse(codeParam).success ? (
        <DeviceRequest
          key={codeParam}
          userCode={codeParam}
          onDecided={setDone}
          again={() => setQuery({}, { replace: true })}
        />
      ) : (
        <CodeForm open={(next) => setQuery({ code: next }, { replace: true })} />
      )}
    </NarrowPage>
  );
}

function CodeForm({ open }: { open(code: string): void }) {
  return (
    <>
      <h1 className="h2">{t`Sign in on a device`}</h1>
      <p className="muted">{t`Enter the code that your device or terminal shows.`}</p>
      <Form
        schema={z.object({ code })}
        initial={{ code: "" }}
        fields={[
          {
            name: "code",
            label: t`Code`,
            autoComplete: "off",
            autoFocus: true,
            hint: t`Eight letters, such as WDJB-MJHT.`,
          },
        ]}
        submitLabel={t`Go on`}
        submit={async (values) => open(values.code.trim())}
      />
    </>
  );
}

type DeviceRequestProps = { userCode: string; onDecided(decision: "approve" | "deny"): void; again(): void };

function DeviceRequest({ userCode, onDecided, again }: DeviceRequestProps) {
  const { user } = useUser();
  const { data, error } = useQuery({
    ...queries.oauth.deviceRequest.queryOptions({ user_code: userCode }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error)
    return (
      <>
        <h1 className="h2">{t`Not found`}</h1>
        <p className="muted" role="alert">
          {errorMessage(error)}
        </p>
        <button type="button" className="btn mt-6" onClick={again}>
          {t`Enter another code`}
        </button>
      </>
    );
  if (!data || !user)
    return (
      <div aria-busy="true">
        <Skeleton width="80%" height={36} />
        <div className="mt-6">
          <Skeleton height={176} />
        </div>
      </div>
    );

  async function decide(answer: ConsentDecision): Promise<void> {
    await feather.oauth.verifyDevice({ user_code: userCode, ...answer });
    onDecided(answer.decision);
  }

  return (
    <ConsentForm application={data.application} scopes={data.scopes} user={user} onDecide={decide}>
      <p className="muted">{t`Does your device show this code? If you did not start this yourself, refuse.`}</p>
      <p className={styles.userCode}>{data.user_code}</p>
    </ConsentForm>
  );
}

function DecisionResult({ decision }: { decision: "approve" | "deny" }) {
  return decision === "approve" ? (
    <div role="status">
      <h1 className="h2">{t`You are signed in there`}</h1>
      <p className="muted">{t`Go back to your device; it goes on within a few seconds. You can close this page.`}</p>
    </div>
  ) : (
    <div role="status">
      <h1 className="h2">{t`Refused`}</h1>
      <p className="muted">{t`The device got nothing. You can close this page.`}</p>
    </div>
  );
}
