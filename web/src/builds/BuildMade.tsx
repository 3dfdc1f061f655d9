import { DiffDetails } from "../changes/DiffDetails";
import { readDiff } from "../sessions/sessionApi";
import { SaidText } from "../sessions/SaidText";
import { StatusMark } from "../sessions/StatusMark";
import { counted } from "../counted";
import type { BuildStory, Deploy } from "./buildStory";

/** Tests, deploy and commits, each once there is something to say. */
export function BuildMade({ build, id }: { build: BuildStory; id: string }) {
  return (
    <>
      {build.tests.length > 0 ? <Tests build={build} /> : null}
      {build.deploy ? <Deployed deploy={build.deploy} /> : null}
      {build.commits.length > 0 ? <Commits build={build} id={id} /> : null}
    </>
  );
}

function Tests({ build }: { build: BuildStory }) {
  const passed = build.tests.filter((test) => test.passed).length;
  const isAll = passed === build.tests.length;
  return (
    <section className="made" aria-labelledby="tests-title">
      <div className="made-head">
        <h2 id="tests-title">Tests</h2>
        <span className={isAll ? "standing completed" : "standing failed"}>
          <StatusMark mark={isAll ? "completed" : "failed"} />
          {isAll ? `${counted(passed, "test")} ${passed === 1 ? "passes" : "pass"}` : `${build.tests.length - passed} of ${counted(build.tests.length, "test")} fail`}
        </span>
        {build.coverage === null ? null : (
          <span className="soft coverage">
            <meter aria-label="Coverage" min={0} max={100} value={build.coverage} /> {Math.round(build.coverage)} % covered
          </span>
        )}
      </div>
      <ul className="tests" aria-label="Tests">
        {build.tests.map((test) => (
          <li key={test.test_name}>
            <StatusMark mark={test.passed ? "completed" : "failed"} />
            <span className="unseen">{test.passed ? "passed" : "failed"}: </span>
            <TestName name={test.test_name} />
            {!test.passed && test.details ? <SaidText text={test.details} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `tests/test_page.py::test_it_opens` as a sentence, with where it stands. */
function TestName({ name }: { name: string }) {
  const [file, test] = name.split("::");
  if (!test) return <span className="test-name">{name}</span>;
  return (
    <span className="test-name">
      {test.replace(/^test_/, "").replaceAll("_", " ")} <code className="soft">{file}</code>
    </span>
  );
}

function Deployed({ deploy }: { deploy: Deploy }) {
  const isKept = (name: string) => deploy.steps.includes(`Checked: ${name}`);
  return (
    <section className="made" aria-labelledby="deploy-title">
      <div className="made-head">
        <h2 id="deploy-title">Deploy</h2>
        <span className="soft">to {deploy.target}</span>
        <progress aria-label="Deploy" max={100} value={deploy.progress} />
        <span className="soft">{deploy.steps.at(-1) ?? (deploy.isComplete ? "Finished" : "Beginning…")}</span>
      </div>
      {deploy.rules.length > 0 ? (
        <ul className="tests" aria-label="Checked before">
          {deploy.rules.map((rule, index) => (
            <li key={index}>
              <StatusMark mark={isKept(rule.name) ? "completed" : "idle"} />
              <span>
                <span className="unseen">{isKept(rule.name) ? "checked" : "not checked yet"}: </span>
                {rule.name} <span className="soft">{rule.prompt}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function Commits({ build, id }: { build: BuildStory; id: string }) {
  return (
    <details className="made commits">
      <summary>
        Commits <span className="count">{build.commits.length}</span>
      </summary>
      <ol aria-label="Commits">
        {build.commits.map((commit) => (
          <li key={commit.sha}>
            <code className="soft">{commit.sha.slice(0, 7)}</code> <span>{commit.message}</span>
            <p className="soft">
              <code>{commit.files_changed.join(" ")}</code>
            </p>
            <DiffDetails title={<span className="soft">What it changed</span>} load={() => readDiff(id, commit.sha)} none="No text was changed." />
          </li>
        ))}
      </ol>
    </details>
  );
}
