import { type Look, readProvenance } from "../sessions/sessionApi";
import { PermissionLine, SaidText } from "../sessions/SaidText";
import { ErrorNote } from "../shell/ErrorNote";
import { Inspector } from "../shell/Inspector";
import { PathLink } from "../shell/Link";
import { useFetched } from "../shell/useFetched";
import type { BuildTask } from "./buildStory";

/** Everything about one task: what was to be done, what its agent said and was allowed, and what its work rests on. */
export function TaskInspector({ id, task, close }: { id: string; task: BuildTask; close: () => void }) {
  return (
    <Inspector title={task.name} kind={`Task of ${task.agent_name}`} close={close}>
      <div className="task-sheet">
        {task.description ? <p>{task.description}</p> : null}
        {task.acceptance_criteria.length > 0 ? (
          <ul className="criteria" aria-label="It is done when">
            {task.acceptance_criteria.map((criterion, index) => (
              <li key={index}>{criterion}</li>
            ))}
          </ul>
        ) : null}
        {task.error ? <p className="task-error">{task.error}</p> : null}
        {task.said ? (
          <section aria-labelledby="said-title">
            <h3 id="said-title">What {task.agent_name} said</h3>
            <div className="output">
              <SaidText text={task.said} />
            </div>
          </section>
        ) : null}
        {task.permissions.length > 0 ? (
          <section aria-labelledby="allowed-title">
            <h3 id="allowed-title">What it was allowed</h3>
            {task.permissions.map((told) => (
              <PermissionLine key={told.seq} told={told} />
            ))}
          </section>
        ) : null}
        <RestsOn id={id} task={task} />
      </div>
    </Inspector>
  );
}

const LOOKS: Record<Look["tool"], string> = {
  context: "Given before it began",
  search_docs: "Searched the notes",
  recall: "Searched memories",
  read_skill: "Opened a skill",
};

function RestsOn({ id, task }: { id: string; task: BuildTask }) {
  // What it had read grows with it: asked for again when the task has come further.
  const [told, again] = useFetched(`${id} ${task.id} ${task.status}`, (signal) => readProvenance(id, task.id, signal));
  if (told.state === "failed") return told.error.status === 404 ? null : <ErrorNote error={told.error} retry={again} />;
  const graph = told.value?.knowledge?.graph_id ?? null;
  const [found] = told.value?.tasks ?? [];
  return (
    <section aria-labelledby="rests-title" className="rests-on">
      <h3 id="rests-title">What this rests on</h3>
      {told.state === "waiting" && !told.value ? <p className="soft">Reading…</p> : null}
      {found?.looks.length === 0 ? (
        <p className="soft">
          It read no notes, memories or skills.
          {graph ? "" : " A spec with “knowledge” gives a build your notes."}
        </p>
      ) : null}
      {found?.looks.map((look, index) => (
        <LookLines key={index} look={look} graph={graph} />
      ))}
      {task.commits.map((commit) => (
        <p key={commit.sha} className="soft">
          Commit <code>{commit.sha.slice(0, 7)}</code> {commit.files_changed.join(", ")}
        </p>
      ))}
      {found?.remembered_as ? (
        <p className="soft">
          What it came to is remembered: <PathLink to={`/memory?m=${encodeURIComponent(found.remembered_as)}`}>see the memory</PathLink>
        </p>
      ) : null}
    </section>
  );
}

function LookLines({ look, graph }: { look: Look; graph: string | null }) {
  return (
    <div className="look">
      <p>
        <b>{LOOKS[look.tool]}</b> {look.asked ? <span className="soft">{look.asked}</span> : null}
      </p>
      <ul>
        {look.nodes.map((node) => (
          <li key={node.id}>
            {graph ? (
              <>
                <PathLink to={`/g/${encodeURIComponent(graph)}/read/${encodeURIComponent(node.id)}${node.sections[0] ? `#${node.sections[0]}` : ""}`}>{node.id}</PathLink>{" "}
                <PathLink className="soft" to={`/g/${encodeURIComponent(graph)}/map?n=${encodeURIComponent(node.id)}`} aria-label={`${node.id} on the map`}>
                  on the map
                </PathLink>
              </>
            ) : (
              node.id
            )}
            {node.reason ? <p className="soft">{node.reason}</p> : null}
          </li>
        ))}
        {look.memories.map((memory) => (
          <li key={memory.id}>
            <PathLink to={`/memory?m=${encodeURIComponent(memory.id)}`}>{memory.name || memory.id}</PathLink>
          </li>
        ))}
        {look.skill ? <li>{look.skill}</li> : null}
      </ul>
    </div>
  );
}
