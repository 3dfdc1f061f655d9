/** What an agent wanted to do, and what the house said to it. */
export function PermissionLine({ told }: { told: { permission: string; decision: string; reason: string } }) {
  return (
    <p className={`permission ${told.decision}`}>
      <b>{told.decision}</b> <span className="soft">{told.permission.replace("_", " ")}</span> {told.reason}
    </p>
  );
}
