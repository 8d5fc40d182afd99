// A reader's own tests of an exercise (make attack), below its editor: they run on right solutions and on known wrong ones.
"use strict";

class AttackBox extends TextBox {
    constructor(box, attack) {
        super(box, { name: `${attack.name}.attack`, title: `${attack.name.split("/")[1]}.attack`, stub: attack.stub });
        this.attack = attack;
    }

    mainLabel() {
        return "Attack";
    }
    aboutText() {
        return (
            "attacks, Escape leaves the editor. Your tests must accept every right solution and catch the known wrong ones. Each runs by " +
            "itself, with a limit of time and memory; a wild read or write is seen where it leaves the tests' arrays, and at NULL."
        );
    }

    async work(session, source) {
        Object.assign(this, { session, stopped: false });
        const tell = (words) => {
            if (this.stopped) throw new Error("stopped");
            this.say(words);
        };
        const result = await this.stoppable(() => runAttack(this.attack, source, session.tools(), tell));
        this.tell(result, result.state === "right");
        return { right: "all caught", misses: "some are missed", refuses: "refuses right code", broken: "does not compile", unattempted: "not started" }[result.state];
    }

    stop() {
        this.stopped = true;
        this.session.stop();
    }
}

async function openAttack(place, name) {
    await new AttackBox(place, await courseWrite.json(`exercises/${name}.attack.json`)).begin();
}
