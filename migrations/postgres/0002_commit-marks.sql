CREATE TABLE "commit_marks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"written_at" bigint NOT NULL
);
