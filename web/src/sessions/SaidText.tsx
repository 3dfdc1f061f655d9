import { useState } from "react";

const LONG = 1_500;

/** Text from a session, always as text; a long one is cut until somebody asks for the rest. */
export function SaidText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > LONG;
  return (
    <>
      <pre className="said">{isLong && !isWhole ? `${text.slice(0, LONG)}…` : text}</pre>
      {isLong ? (
        <button type="button" className="link" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      ) : null}
    </>
  );
}

/** What an agent wanted to do, and what the house said to it. */
export function PermissionLine({ told }: { told: { permission: string; decision: string; reason: string } }) {
  return (
    <p className={`permission ${told.decision}`}>
      <b>{told.decision}</b> <span className="soft">{told.permission.replace("_", " ")}</span> {told.reason}
    </p>
  );
}
