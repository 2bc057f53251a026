/*
 * validate.js - is a file of ours what its schema says?
 *
 *	node validate.js MODULES SCHEMA FILE...
 *
 * MODULES is the folder that has node_modules/.  For SARIF it also looks at what
 * code scanning needs and the schema leaves open.
 */
'use strict';
const fs = require('fs');
const path = require('path');

const [, , modules, schemaFile, ...files] = process.argv;
const need = (name) => require(path.join(modules, 'node_modules', name));
const Ajv = need('ajv/dist/2020').default;
const ajv = new Ajv({ allErrors: true, strict: false });
need('ajv-formats').default(ajv);
const schema = ajv.compile(JSON.parse(fs.readFileSync(schemaFile, 'utf8')));

/* What GitHub's code scanning asks for beyond the schema. */
function complaintsAboutSarif(log) {
	const bad = [];
	const want = (cond, where, what) => { if (!cond) bad.push(`${where}: ${what}`); };
	const region = (r, where) => {
		for (const k of ['startLine', 'startColumn', 'endLine', 'endColumn'])
			want(Number.isInteger(r && r[k]) && r[k] >= 1, where, `no ${k}`);
		want(!r || r.endLine > r.startLine || r.endColumn >= r.startColumn, where, 'ends before it begins');
	};
	const artifact = (a, where) => {
		want(a && a.uri, where, 'no uri');
		if (!a || !a.uri)
			return;
		const absolute = /^[a-z]+:/.test(a.uri);
		want(absolute || a.uriBaseId === '%SRCROOT%', where, 'relative, but to nothing');
		want(!absolute || !a.uriBaseId, where, 'absolute and relative');
		want(!a.uri.startsWith('/'), where, 'a path, not a URI');
		try {
			const url = new URL(a.uri, 'file:///r/');
			want(url.search === '' && url.hash === '', where, `? or # not escaped: ${a.uri}`);
		} catch (e) {
			bad.push(`${where}: ${e.message}`);
		}
	};
	for (const run of log.runs) {
		const rules = run.tool.driver.rules;
		for (const r of rules) {
			want(r.shortDescription && r.fullDescription && r.help && r.help.text && r.help.markdown,
			     r.id, 'a rule without its texts');
			want(r.properties && r.properties.precision && r.properties['problem.severity'] &&
			     r.properties.tags.length, r.id, 'a rule without its properties');
		}
		run.results.forEach((r, i) => {
			const at = `results[${i}]`;
			want(rules[r.ruleIndex] && rules[r.ruleIndex].id === r.ruleId, at, 'wrong ruleIndex');
			want(/^[A-Z0-9%].*\. .*\[here\]\(1\)\.$/.test(r.message.text), at, `message: ${r.message.text}`);
			want(/^[0-9a-f]{16}$/.test(r.partialFingerprints['plumb/v1']), at, 'no fingerprint');
			want(r.partialFingerprints.primaryLocationLineHash, at, 'no primaryLocationLineHash');
			want(r.relatedLocations[0].id === 1, at, 'the link leads nowhere');
			want(r.codeFlows[0].threadFlows[0].locations.length <= 1000, at, 'too many steps');
			const all = [...r.locations, ...r.relatedLocations,
				...r.codeFlows[0].threadFlows[0].locations.map((l) => l.location)];
			for (const l of all)
				if (l.physicalLocation) {
					artifact(l.physicalLocation.artifactLocation, at);
					region(l.physicalLocation.region, at);
				}
			for (const f of r.fixes || [])
				for (const c of f.artifactChanges)
					for (const x of c.replacements)
						region(x.deletedRegion, at);
		});
	}
	return bad;
}

let failed = false;
for (const file of files) {
	const data = JSON.parse(fs.readFileSync(file, 'utf8'));
	const bad = schema(data) ? [] : schema.errors.map((e) => `${e.instancePath || '/'} ${e.message}`);
	if (data.runs && data.version === '2.1.0')
		bad.push(...complaintsAboutSarif(data));
	for (const line of bad.slice(0, 20))
		console.log(`${path.basename(file)}: ${line}`);
	failed = failed || bad.length > 0;
}
process.exit(failed ? 1 : 0);
