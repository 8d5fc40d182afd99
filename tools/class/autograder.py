"""An assignment's autograder for Classroom 50: the exercises of the week in week.txt, by the course
that COURSE names, an address and a commit. Both files lie beside this one, where no learner can
change them. It is called in a learner's checkout, and writes result.json there.

COURSE_DIR: a clone of the course that is there already, with what it has built, on a runner of
one's own; else it is cloned, which takes sudo or root for the packages that it needs."""

import datetime
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUDO = ["sudo"] if os.geteuid() else []


def run(*command):
    subprocess.run(command, check=True)


def course():
    """The directory of the course, open to the user whom learners' code runs as."""
    if os.environ.get("COURSE_DIR"):
        return os.environ["COURSE_DIR"]
    address, version = (HERE / "COURSE").read_text().split()
    place = tempfile.mkdtemp()
    os.chmod(place, 0o755)
    run("git", "clone", "--quiet", address, f"{place}/course")
    run("git", "-C", f"{place}/course", "checkout", "--quiet", version)
    run(*SUDO, "make", "-C", f"{place}/course", "setup", "MPI=1")
    return f"{place}/course"


def grade():
    """What make grade says, in the form of its results.json."""
    week = (HERE / "week.txt").read_text().strip()
    with tempfile.TemporaryDirectory() as out:
        run(*SUDO, "make", "-s", "-C", course(), "grade", f"FROM={os.getcwd()}",
            f"OUT={out}", f"WEEK={week}")
        return json.loads(pathlib.Path(out, "results.json").read_text())


def result(graded):
    """The same in Classroom 50's form, classroom50/result/v1."""
    now = datetime.datetime.now(datetime.timezone.utc)
    env = os.environ
    return {
        "schema": "classroom50/result/v1",
        "classroom": env["CLASSROOM"],
        "assignment": env["ASSIGNMENT"],
        "assignment_type": env.get("ASSIGNMENT_TYPE") or "individual",
        "owner": env.get("OWNER") or env["USERNAME"],
        "submission": env["SUBMISSION_TAG"],
        "commit": env["COMMIT_URL"],
        "release": env["RELEASE_URL"],
        "review": env.get("REVIEW_URL") or env["COMMIT_URL"],
        "datetime": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": graded["score"],
        "max-score": sum(test["max_score"] for test in graded["tests"]),
        "tests": [
            {
                "test-name": test["name"],
                "passed": test["status"] == "passed",
                "score": test["score"],
                "max-score": test["max_score"],
                "output": test["output"],
            }
            for test in graded["tests"]
        ],
    }


pathlib.Path("result.json").write_text(json.dumps(result(grade()), indent=2))
